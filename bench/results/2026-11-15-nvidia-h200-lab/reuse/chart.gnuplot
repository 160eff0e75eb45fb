# Draws chart.png; change what you like and call: gnuplot chart.gnuplot
set output 'chart.png'
set terminal pngcairo size 1280,800 enhanced background rgb 'white' font 'Sans,15'
set encoding utf8
set border 3 lw 1.2 lc rgb '#333333'
set grid lt 1 lw 1 lc rgb '#DDDDDD'
set key outside right top tc rgb '#222222' samplen 2
set boxwidth 0.7
set multiplot
set label 1 'Reuse through local memory: off (float4), on (tiled)' at screen 0.5,0.97 center noenhanced font 'Sans,19' tc rgb '#111111'
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
set ylabel 'NVIDIA H200: interactions/s, kernels' noenhanced
set yrange [49098983726.54528:1782951983222.2732]
unset ytics
set ytics nomirror tc rgb '#333333'
set ytics noenhanced ('5e10' 5e+10, '1e11' 1e+11, '2e11' 2e+11, '5e11' 5e+11, '1e12' 1e+12)
$data_0_0 << EOD
1024 6.137372966e+10
4096 6.77750409e+11
16384 1.315313789e+12
65536 1.335559582e+12
262144 1.294401721e+12
EOD
$data_0_1 << EOD
1024 6.651759503e+10
4096 6.489700911e+11
16384 1.245062412e+12
65536 1.302079735e+12
262144 1.426361587e+12
EOD
plot $data_0_0 using 1:2 with linespoints lw 2.5 dt 1 pt 5 ps 1.1 lc rgb '#0072B2' title 'float4' noenhanced, $data_0_1 using 1:2 with linespoints lw 2.5 dt 1 pt 7 ps 1.1 lc rgb '#D55E00' title 'tiled' noenhanced
unset label 1
unset multiplot
