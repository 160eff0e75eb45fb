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
set ylabel 'NVIDIA H200: interactions/s, end to end' noenhanced
set yrange [74555077471.710022:2229327904424.3779]
unset ytics
set ytics nomirror tc rgb '#333333'
set ytics noenhanced ('1e11' 1e+11, '2e11' 2e+11, '5e11' 5e+11, '1e12' 1e+12, '2e12' 2e+12)
$data_0_0 << EOD
1024 9.319384684e+10
4096 8.440971599e+11
16384 1.267036561e+12
65536 1.296131206e+12
262144 1.426515673e+12
EOD
$data_0_1 << EOD
1024 9.488964774e+10
4096 8.97239933e+11
16384 1.40550747e+12
65536 1.439364522e+12
262144 1.570055289e+12
EOD
$data_0_2 << EOD
1024 9.408248027e+10
4096 9.289972338e+11
16384 1.4778066e+12
65536 1.524547999e+12
262144 1.654551118e+12
EOD
$data_0_3 << EOD
1024 9.788345064e+10
4096 1.005787085e+12
16384 1.665292404e+12
65536 1.705555804e+12
262144 1.783462324e+12
EOD
$data_0_4 << EOD
1024 9.617338546e+10
4096 9.994743718e+11
16384 1.653755951e+12
65536 1.709552329e+12
262144 1.773028048e+12
EOD
plot $data_0_0 using 1:2 with linespoints lw 2.5 dt 1 pt 5 ps 1.1 lc rgb '#0072B2' title 'unroll 1' noenhanced, $data_0_1 using 1:2 with linespoints lw 2.5 dt 1 pt 7 ps 1.1 lc rgb '#D55E00' title 'unroll 2' noenhanced, $data_0_2 using 1:2 with linespoints lw 2.5 dt 1 pt 9 ps 1.1 lc rgb '#009E73' title 'unroll 4' noenhanced, $data_0_3 using 1:2 with linespoints lw 2.5 dt 1 pt 11 ps 1.1 lc rgb '#CC79A7' title 'unroll 8' noenhanced, $data_0_4 using 1:2 with linespoints lw 2.5 dt 1 pt 5 ps 1.1 lc rgb '#555555' title 'unroll 16' noenhanced
unset label 1
unset multiplot
