# Draws chart.png; change what you like and call: gnuplot chart.gnuplot
set output 'chart.png'
set terminal pngcairo size 1280,800 enhanced background rgb 'white' font 'Sans,15'
set encoding utf8
set border 3 lw 1.2 lc rgb '#333333'
set grid lt 1 lw 1 lc rgb '#DDDDDD'
set key outside right top tc rgb '#222222' samplen 2
set boxwidth 0.7
set multiplot
set label 1 'A force evaluation in the box of 1000^3, end to end (f32)' at screen 0.5,0.97 center noenhanced font 'Sans,19' tc rgb '#111111'
set origin 0,0.0000
set size 1,0.9400
set lmargin at screen 0.11
set rmargin at screen 0.7328
set logscale x
set format x '10^{%L}'
set xlabel 'bodies' noenhanced
set xrange [27200:1180000]
unset xtics
set xtics nomirror tc rgb '#333333'
set xtics noenhanced ('32,000' 32000, '320,000' 320000, '1,000,000' 1000000)
set logscale y
set format y '10^{%L}'
set ylabel 'seconds, end to end' noenhanced
set yrange [0.00023553855483870968:7.6637500000000003]
unset ytics
set ytics nomirror tc rgb '#333333'
set ytics noenhanced ('1e-3' 0.001, '0.01' 0.01, '0.1' 0.1, '1' 1)
$data_0_0 << EOD
32000 0.0003477604259
320000 0.0309194315
1000000 0.296445382
EOD
$data_0_1 << EOD
32000 0.0002944231935
320000 0.002732782
1000000 0.0236962255
EOD
$data_0_2 << EOD
32000 0.00066057
320000 0.0018524903
1000000 0.0038926015
EOD
$data_0_3 << EOD
32000 0.000455009825
320000 0.001001442
1000000 0.001510663833
EOD
$data_0_4 << EOD
32000 0.182
320000 6.131
EOD
$data_0_5 << EOD
32000 0.168
320000 3.506
EOD
plot $data_0_0 using 1:2 with linespoints lw 2.5 dt 1 pt 5 ps 1.1 lc rgb '#0072B2' title 'direct, NVIDIA H200' noenhanced, $data_0_1 using 1:2 with linespoints lw 2.5 dt 1 pt 7 ps 1.1 lc rgb '#D55E00' title 'bins, NVIDIA H200' noenhanced, $data_0_2 using 1:2 with linespoints lw 2.5 dt 1 pt 9 ps 1.1 lc rgb '#009E73' title 'tree, NVIDIA H200' noenhanced, $data_0_3 using 1:2 with linespoints lw 2.5 dt 1 pt 11 ps 1.1 lc rgb '#CC79A7' title 'fmm, NVIDIA H200' noenhanced, $data_0_4 using 1:2 with linespoints lw 2.5 dt 2 pt 5 ps 1.1 lc rgb '#555555' title 'direct, published 2017' noenhanced, $data_0_5 using 1:2 with linespoints lw 2.5 dt 2 pt 7 ps 1.1 lc rgb '#E69F00' title 'bins, published 2017' noenhanced
unset label 1
unset multiplot
