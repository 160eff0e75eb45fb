# Draws chart.png; change what you like and call: gnuplot chart.gnuplot
set output 'chart.png'
set terminal pngcairo size 1280,800 enhanced background rgb 'white' font 'Sans,15'
set encoding utf8
set border 3 lw 1.2 lc rgb '#333333'
set grid lt 1 lw 1 lc rgb '#DDDDDD'
set key outside right top tc rgb '#222222' samplen 2
set boxwidth 0.7
set multiplot
set label 1 'Unrolling the loop over a tile (f32)' at screen 0.5,0.97 center noenhanced font 'Sans,19' tc rgb '#111111'
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
set yrange [53950806702.855774:2229141561687.7456]
unset ytics
set ytics nomirror tc rgb '#333333'
set ytics noenhanced ('1e11' 1e+11, '2e11' 2e+11, '5e11' 5e+11, '1e12' 1e+12, '2e12' 2e+12)
$data_0_0 << EOD
1024 6.859282317e+10
4096 7.241452245e+11
16384 1.246542537e+12
65536 1.303103715e+12
262144 1.425866273e+12
EOD
$data_0_1 << EOD
1024 6.990933594e+10
4096 7.581405345e+11
16384 1.375665565e+12
65536 1.44286781e+12
262144 1.570562604e+12
EOD
$data_0_2 << EOD
1024 6.743850838e+10
4096 7.55721124e+11
16384 1.447342994e+12
65536 1.527466618e+12
262144 1.657873743e+12
EOD
$data_0_3 << EOD
1024 7.691611353e+10
4096 7.718310113e+11
16384 1.623508028e+12
65536 1.71353447e+12
262144 1.783313249e+12
EOD
$data_0_4 << EOD
1024 7.193758226e+10
4096 7.788704659e+11
16384 1.615077162e+12
65536 1.713031461e+12
262144 1.777294526e+12
EOD
plot $data_0_0 using 1:2 with linespoints lw 2.5 dt 1 pt 5 ps 1.1 lc rgb '#0072B2' title 'unroll 1' noenhanced, $data_0_1 using 1:2 with linespoints lw 2.5 dt 1 pt 7 ps 1.1 lc rgb '#D55E00' title 'unroll 2' noenhanced, $data_0_2 using 1:2 with linespoints lw 2.5 dt 1 pt 9 ps 1.1 lc rgb '#009E73' title 'unroll 4' noenhanced, $data_0_3 using 1:2 with linespoints lw 2.5 dt 1 pt 11 ps 1.1 lc rgb '#CC79A7' title 'unroll 8' noenhanced, $data_0_4 using 1:2 with linespoints lw 2.5 dt 1 pt 5 ps 1.1 lc rgb '#555555' title 'unroll 16' noenhanced
unset label 1
unset multiplot
