# Draws chart.png; change what you like and call: gnuplot chart.gnuplot
set output 'chart.png'
set terminal pngcairo size 1280,800 enhanced background rgb 'white' font 'Sans,15'
set encoding utf8
set border 3 lw 1.2 lc rgb '#333333'
set grid lt 1 lw 1 lc rgb '#DDDDDD'
set key outside right top tc rgb '#222222' samplen 2
set boxwidth 0.7
set multiplot
set label 1 'All pairs, one kernel after the other (f32)' at screen 0.5,0.97 center noenhanced font 'Sans,19' tc rgb '#111111'
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
set yrange [18082564414.688557:3738858461671.3159]
unset ytics
set ytics nomirror tc rgb '#333333'
set ytics noenhanced ('1e11' 1e+11, '1e12' 1e+12)
$data_0_0 << EOD
1024 6.273511599e+10
4096 6.07485011e+11
16384 1.016875671e+12
65536 1.017529428e+12
262144 1.155621664e+12
EOD
$data_0_1 << EOD
1024 4.435402631e+10
4096 5.230975022e+11
16384 9.820629016e+11
65536 9.885450568e+11
262144 1.006658834e+12
EOD
$data_0_2 << EOD
1024 6.454476025e+10
4096 6.885163663e+11
16384 1.315754639e+12
65536 1.336876564e+12
262144 1.293968073e+12
EOD
$data_0_3 << EOD
1024 6.731546981e+10
4096 7.173642664e+11
16384 1.24795445e+12
65536 1.302307147e+12
262144 1.426697042e+12
EOD
$data_0_4 << EOD
1024 7.589654855e+10
4096 7.762515839e+11
16384 1.622618672e+12
65536 1.718437836e+12
262144 1.785352555e+12
EOD
$data_0_5 << EOD
1024 7.475865711e+10
4096 7.527465901e+11
16384 1.592841196e+12
65536 1.684977535e+12
262144 1.843429335e+12
EOD
$data_0_6 << EOD
1024 2.260320552e+10
4096 3.561417016e+11
16384 2.274397925e+12
65536 2.593388853e+12
262144 2.991086769e+12
EOD
plot $data_0_0 using 1:2 with linespoints lw 2.5 dt 1 pt 5 ps 1.1 lc rgb '#0072B2' title 'naive' noenhanced, $data_0_1 using 1:2 with linespoints lw 2.5 dt 1 pt 7 ps 1.1 lc rgb '#D55E00' title 'packed3' noenhanced, $data_0_2 using 1:2 with linespoints lw 2.5 dt 1 pt 9 ps 1.1 lc rgb '#009E73' title 'float4' noenhanced, $data_0_3 using 1:2 with linespoints lw 2.5 dt 1 pt 11 ps 1.1 lc rgb '#CC79A7' title 'tiled' noenhanced, $data_0_4 using 1:2 with linespoints lw 2.5 dt 1 pt 5 ps 1.1 lc rgb '#555555' title 'unrolled' noenhanced, $data_0_5 using 1:2 with linespoints lw 2.5 dt 1 pt 7 ps 1.1 lc rgb '#E69F00' title 'rows' noenhanced, $data_0_6 using 1:2 with linespoints lw 2.5 dt 1 pt 9 ps 1.1 lc rgb '#56B4E9' title 'symmetric' noenhanced
unset label 1
unset multiplot
