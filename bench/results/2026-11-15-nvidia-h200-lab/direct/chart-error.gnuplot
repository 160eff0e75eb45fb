# Draws chart-error.png; change what you like and call: gnuplot chart-error.gnuplot
set output 'chart-error.png'
set terminal pngcairo size 1280,800 enhanced background rgb 'white' font 'Sans,15'
set encoding utf8
set border 3 lw 1.2 lc rgb '#333333'
set grid lt 1 lw 1 lc rgb '#DDDDDD'
set key outside right top tc rgb '#222222' samplen 2
set boxwidth 0.7
set multiplot
set label 1 'Largest relative force error of each kernel (f32)' at screen 0.5,0.97 center noenhanced font 'Sans,19' tc rgb '#111111'
set origin 0,0.0000
set size 1,0.9400
set lmargin at screen 0.11
set rmargin at screen 0.8400
set logscale x
set format x '10^{%L}'
set xlabel 'bodies' noenhanced
set xrange [870.39999999999998:309329.91999999998]
unset xtics
set xtics nomirror tc rgb '#333333'
set xtics noenhanced ('1,024' 1024, '4,096' 4096, '16,384' 16384, '65,536' 65536, '262,144' 262144)
set logscale y
set format y '10^{%L}'
set ylabel 'largest relative force error' noenhanced
set yrange [1.9805974458421063e-07:1.1391072573669133e-06]
unset ytics
set ytics nomirror tc rgb '#333333'
set ytics noenhanced ('2e-7' 2e-07, '3e-7' 3e-07, '5e-7' 5e-07, '7e-7' 7e-07, '1e-6' 1e-06)
$data_0_0 << EOD
1024 5.022806104e-07
4096 6.517592134e-07
16384 3.008367743e-07
65536 2.475746807e-07
262144 8.601821847e-07
EOD
$data_0_1 << EOD
1024 5.022806104e-07
4096 6.517592134e-07
16384 3.008367743e-07
65536 2.475746807e-07
262144 8.601821847e-07
EOD
$data_0_2 << EOD
1024 5.022806104e-07
4096 6.517592134e-07
16384 3.008367743e-07
65536 2.475746807e-07
262144 8.601821847e-07
EOD
$data_0_3 << EOD
1024 5.022806104e-07
4096 6.517592134e-07
16384 3.008367743e-07
65536 2.475746807e-07
262144 8.601821847e-07
EOD
$data_0_4 << EOD
1024 5.022806104e-07
4096 6.517592134e-07
16384 3.008367743e-07
65536 2.475746807e-07
262144 8.601821847e-07
EOD
$data_0_5 << EOD
1024 5.022806104e-07
4096 6.517592134e-07
16384 3.008367743e-07
65536 2.475746807e-07
262144 8.601821847e-07
EOD
$data_0_6 << EOD
1024 8.134773325e-07
4096 9.112858059e-07
16384 4.389390735e-07
65536 4.743803775e-07
262144 5.992716459e-07
EOD
plot $data_0_0 using 1:2 with linespoints lw 2.5 dt 1 pt 5 ps 1.1 lc rgb '#0072B2' title 'naive' noenhanced, $data_0_1 using 1:2 with linespoints lw 2.5 dt 1 pt 7 ps 1.1 lc rgb '#D55E00' title 'packed3' noenhanced, $data_0_2 using 1:2 with linespoints lw 2.5 dt 1 pt 9 ps 1.1 lc rgb '#009E73' title 'float4' noenhanced, $data_0_3 using 1:2 with linespoints lw 2.5 dt 1 pt 11 ps 1.1 lc rgb '#CC79A7' title 'tiled' noenhanced, $data_0_4 using 1:2 with linespoints lw 2.5 dt 1 pt 5 ps 1.1 lc rgb '#555555' title 'unrolled' noenhanced, $data_0_5 using 1:2 with linespoints lw 2.5 dt 1 pt 7 ps 1.1 lc rgb '#E69F00' title 'rows' noenhanced, $data_0_6 using 1:2 with linespoints lw 2.5 dt 1 pt 9 ps 1.1 lc rgb '#56B4E9' title 'symmetric' noenhanced
unset label 1
unset multiplot
