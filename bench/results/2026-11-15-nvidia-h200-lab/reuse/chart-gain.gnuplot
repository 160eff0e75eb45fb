# Draws chart-gain.png; change what you like and call: gnuplot chart-gain.gnuplot
set output 'chart-gain.png'
set terminal pngcairo size 1280,800 enhanced background rgb 'white' font 'Sans,15'
set encoding utf8
set border 3 lw 1.2 lc rgb '#333333'
set grid lt 1 lw 1 lc rgb '#DDDDDD'
set key outside right top tc rgb '#222222' samplen 2
set boxwidth 0.7
set multiplot
set label 1 'How many times as fast with reuse, end to end' at screen 0.5,0.97 center noenhanced font 'Sans,19' tc rgb '#111111'
set origin 0,0.0000
set size 1,0.9400
set lmargin at screen 0.11
set rmargin at screen 0.8273
set logscale x
set format x '10^{%L}'
set xlabel 'bodies' noenhanced
set xrange [870.39999999999998:309329.91999999998]
unset xtics
set xtics nomirror tc rgb '#333333'
set xtics noenhanced ('1,024' 1024, '4,096' 4096, '16,384' 16384, '65,536' 65536, '262,144' 262144)
unset logscale y
set format y '%g'
set ylabel 'times as fast as without' noenhanced
set yrange [0:*]
unset ytics
set ytics nomirror tc rgb '#333333'
$data_0_0 << EOD
1024 1.240181809
4096 1.026862785
16384 0.9451372387
65536 0.9764404827
262144 1.101571917
EOD
plot $data_0_0 using 1:2 with linespoints lw 2.5 dt 1 pt 5 ps 1.1 lc rgb '#0072B2' title 'NVIDIA H200' noenhanced
unset label 1
unset multiplot
