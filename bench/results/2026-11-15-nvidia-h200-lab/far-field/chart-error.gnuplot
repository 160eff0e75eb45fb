# Draws chart-error.png; change what you like and call: gnuplot chart-error.gnuplot
set output 'chart-error.png'
set terminal pngcairo size 1280,800 enhanced background rgb 'white' font 'Sans,15'
set encoding utf8
set border 3 lw 1.2 lc rgb '#333333'
set grid lt 1 lw 1 lc rgb '#DDDDDD'
set key outside right top tc rgb '#222222' samplen 2
set boxwidth 0.7
set multiplot
set label 1 'Time beside error, 1,000,000 bodies' at screen 0.5,0.97 center noenhanced font 'Sans,19' tc rgb '#111111'
set origin 0,0.0000
set size 1,0.9400
set lmargin at screen 0.11
set rmargin at screen 0.7586
set logscale x
set format x '10^{%L}'
set xlabel 'relative force error that 99 % stay below' noenhanced
set xrange [6.9483200164304818e-07:0.0015490442368189391]
unset xtics
set xtics nomirror tc rgb '#333333'
set xtics noenhanced ('1e-6' 1e-06, '1e-5' 1e-05, '1e-4' 0.0001, '1e-3' 0.001)
set logscale y
set format y '10^{%L}'
set ylabel 'seconds, end to end' noenhanced
set yrange [0.0012085310666666669:0.37055672749999996]
unset ytics
set ytics nomirror tc rgb '#333333'
set ytics noenhanced ('0.01' 0.01, '0.1' 0.1)
$data_0_0 << EOD
8.685400021e-07 0.296445382
EOD
$data_0_1 << EOD
0.001239235389 0.0236962255
EOD
$data_0_2 << EOD
0.0006290902193 0.0038926015
EOD
$data_0_3 << EOD
0.0007650171766 0.001510663833
EOD
plot $data_0_0 using 1:2 with points pt 7 ps 1.5 lc rgb '#0072B2' title 'direct, NVIDIA H200' noenhanced, $data_0_1 using 1:2 with points pt 7 ps 1.5 lc rgb '#D55E00' title 'bins, NVIDIA H200' noenhanced, $data_0_2 using 1:2 with points pt 7 ps 1.5 lc rgb '#009E73' title 'tree, NVIDIA H200' noenhanced, $data_0_3 using 1:2 with points pt 7 ps 1.5 lc rgb '#CC79A7' title 'fmm, NVIDIA H200' noenhanced
unset label 1
unset multiplot
