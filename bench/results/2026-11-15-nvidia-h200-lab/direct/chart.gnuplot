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
set ylabel 'NVIDIA H200: interactions/s, end to end' noenhanced
set yrange [20770995889.31707:3744007076968.2188]
unset ytics
set ytics nomirror tc rgb '#333333'
set ytics noenhanced ('1e11' 1e+11, '1e12' 1e+12)
$data_0_0 << EOD
1024 9.680161281e+10
4096 6.97488552e+11
16384 1.031508791e+12
65536 1.013191834e+12
262144 1.154119833e+12
EOD
$data_0_1 << EOD
1024 6.301429325e+10
4096 6.425706457e+11
16384 1.003955076e+12
65536 9.834057986e+11
262144 1.006699661e+12
EOD
$data_0_2 << EOD
1024 9.522096349e+10
4096 8.123576322e+11
16384 1.339330184e+12
65536 1.327908899e+12
262144 1.294157344e+12
EOD
$data_0_3 << EOD
1024 9.419822857e+10
4096 8.449466508e+11
16384 1.267711068e+12
65536 1.293304125e+12
262144 1.4252745e+12
EOD
$data_0_4 << EOD
1024 9.398324141e+10
4096 1.008159342e+12
16384 1.659910606e+12
65536 1.70439505e+12
262144 1.780587108e+12
EOD
$data_0_5 << EOD
1024 8.974539923e+10
4096 9.909984555e+11
16384 1.631529685e+12
65536 1.671294623e+12
262144 1.845424804e+12
EOD
$data_0_6 << EOD
1024 2.596374486e+10
4096 4.066962938e+11
16384 2.408550208e+12
65536 2.591919736e+12
262144 2.995205662e+12
EOD
plot $data_0_0 using 1:2 with linespoints lw 2.5 dt 1 pt 5 ps 1.1 lc rgb '#0072B2' title 'naive' noenhanced, $data_0_1 using 1:2 with linespoints lw 2.5 dt 1 pt 7 ps 1.1 lc rgb '#D55E00' title 'packed3' noenhanced, $data_0_2 using 1:2 with linespoints lw 2.5 dt 1 pt 9 ps 1.1 lc rgb '#009E73' title 'float4' noenhanced, $data_0_3 using 1:2 with linespoints lw 2.5 dt 1 pt 11 ps 1.1 lc rgb '#CC79A7' title 'tiled' noenhanced, $data_0_4 using 1:2 with linespoints lw 2.5 dt 1 pt 5 ps 1.1 lc rgb '#555555' title 'unrolled' noenhanced, $data_0_5 using 1:2 with linespoints lw 2.5 dt 1 pt 7 ps 1.1 lc rgb '#E69F00' title 'rows' noenhanced, $data_0_6 using 1:2 with linespoints lw 2.5 dt 1 pt 9 ps 1.1 lc rgb '#56B4E9' title 'symmetric' noenhanced
unset label 1
unset multiplot
