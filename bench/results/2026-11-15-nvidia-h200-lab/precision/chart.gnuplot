# Draws chart.png; change what you like and call: gnuplot chart.gnuplot
set output 'chart.png'
set terminal pngcairo size 1280,960 enhanced background rgb 'white' font 'Sans,15'
set encoding utf8
set border 3 lw 1.2 lc rgb '#333333'
set grid lt 1 lw 1 lc rgb '#DDDDDD'
set key outside right top tc rgb '#222222' samplen 2
set boxwidth 0.7
set multiplot
set label 1 'Speed and error of three precisions' at screen 0.5,0.97 center noenhanced font 'Sans,19' tc rgb '#111111'
set origin 0,0.4700
set size 1,0.4700
set lmargin at screen 0.11
set rmargin at screen 0.7672
set logscale x
set format x '10^{%L}'
set xlabel '' noenhanced
set xrange [870.39999999999998:309329.91999999998]
unset xtics
set xtics nomirror tc rgb '#333333'
set xtics noenhanced ('1,024' 1024, '4,096' 4096, '16,384' 16384, '65,536' 65536, '262,144' 262144)
set logscale y
set format y '10^{%L}'
set ylabel 'interactions/s, end to end' noenhanced
set yrange [52240687170.63768:3735371075088.2051]
unset ytics
set ytics nomirror tc rgb '#333333'
set ytics noenhanced ('1e11' 1e+11, '2e11' 2e+11, '5e11' 5e+11, '1e12' 1e+12, '2e12' 2e+12)
$data_0_0 << EOD
1024 6.530085896e+10
4096 4.071883987e+11
16384 2.408960292e+12
65536 2.592640079e+12
262144 2.98829686e+12
EOD
$data_0_1 << EOD
1024 6.606731664e+10
4096 3.152670177e+11
16384 1.8605509e+12
65536 1.989434054e+12
262144 2.315684319e+12
EOD
$data_0_2 << EOD
1024 6.531694944e+10
4096 3.6606079e+11
16384 8.696292286e+11
65536 1.049713617e+12
262144 1.11423065e+12
EOD
plot $data_0_0 using 1:2 with linespoints lw 2.5 dt 1 pt 5 ps 1.1 lc rgb '#0072B2' title 'f32, NVIDIA H200' noenhanced, $data_0_1 using 1:2 with linespoints lw 2.5 dt 1 pt 7 ps 1.1 lc rgb '#D55E00' title 'mixed, NVIDIA H200' noenhanced, $data_0_2 using 1:2 with linespoints lw 2.5 dt 1 pt 9 ps 1.1 lc rgb '#009E73' title 'f64, NVIDIA H200' noenhanced
unset label 1
set origin 0,0.0000
set size 1,0.4700
set lmargin at screen 0.11
set rmargin at screen 0.7672
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
set yrange [1.0302052547473181e-15:6.2264674140274491e-06]
unset ytics
set ytics nomirror tc rgb '#333333'
set ytics noenhanced ('1e-14' 1e-14, '1e-13' 1e-13, '1e-12' 1e-12, '1e-11' 1e-11, '1e-10' 1e-10, '1e-9' 1e-09, '1e-8' 1e-08, '1e-7' 1e-07, '1e-6' 1e-06)
$data_1_0 << EOD
1024 4.981173931e-06
4096 3.276571673e-06
16384 4.560059261e-06
65536 1.547796219e-06
262144 8.617391416e-07
EOD
$data_1_1 << EOD
1024 6.795877268e-07
4096 8.041843189e-07
16384 4.937908742e-07
65536 5.050249795e-07
262144 3.41216969e-07
EOD
$data_1_2 << EOD
1024 2.018414566e-15
4096 4.027792505e-15
16384 1.287756568e-15
65536 2.475121035e-15
262144 2.867379233e-15
EOD
plot $data_1_0 using 1:2 with linespoints lw 2.5 dt 1 pt 5 ps 1.1 lc rgb '#0072B2' title 'f32, NVIDIA H200' noenhanced, $data_1_1 using 1:2 with linespoints lw 2.5 dt 1 pt 7 ps 1.1 lc rgb '#D55E00' title 'mixed, NVIDIA H200' noenhanced, $data_1_2 using 1:2 with linespoints lw 2.5 dt 1 pt 9 ps 1.1 lc rgb '#009E73' title 'f64, NVIDIA H200' noenhanced
unset label 1
unset multiplot
