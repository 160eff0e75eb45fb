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
set ylabel 'NVIDIA H200: interactions/s, end to end' noenhanced
set yrange [60995351075.159462:1780218312590.3335]
unset ytics
set ytics nomirror tc rgb '#333333'
set ytics noenhanced ('1e11' 1e+11, '2e11' 2e+11, '5e11' 5e+11, '1e12' 1e+12)
$data_0_0 << EOD
1024 7.624418884e+10
4096 8.040848608e+11
16384 1.339029647e+12
65536 1.325388337e+12
262144 1.292856715e+12
EOD
$data_0_1 << EOD
1024 9.455665608e+10
4096 8.256848198e+11
16384 1.265566783e+12
65536 1.294162828e+12
262144 1.42417465e+12
EOD
plot $data_0_0 using 1:2 with linespoints lw 2.5 dt 1 pt 5 ps 1.1 lc rgb '#0072B2' title 'float4' noenhanced, $data_0_1 using 1:2 with linespoints lw 2.5 dt 1 pt 7 ps 1.1 lc rgb '#D55E00' title 'tiled' noenhanced
unset label 1
unset multiplot
