# Draws chart-sums.png; change what you like and call: gnuplot chart-sums.gnuplot
set output 'chart-sums.png'
set terminal pngcairo size 1280,800 enhanced background rgb 'white' font 'Sans,15'
set encoding utf8
set border 3 lw 1.2 lc rgb '#333333'
set grid lt 1 lw 1 lc rgb '#DDDDDD'
set key outside right top tc rgb '#222222' samplen 2
set boxwidth 0.7
set multiplot
set label 1 'What a running float sum loses' at screen 0.5,0.97 center noenhanced font 'Sans,19' tc rgb '#111111'
set origin 0,0.0000
set size 1,0.9400
set lmargin at screen 0.11
set rmargin at screen 0.6813
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
set yrange [1.9805974458421063e-07:3.0932197796050217e-05]
unset ytics
set ytics nomirror tc rgb '#333333'
set ytics noenhanced ('1e-6' 1e-06, '1e-5' 1e-05)
$data_0_0 << EOD
1024 6.497903419e-07
4096 1.749745038e-06
16384 7.826939512e-07
65536 6.282891327e-06
262144 2.474575824e-05
EOD
$data_0_1 << EOD
1024 5.022806104e-07
4096 6.517592134e-07
16384 3.008367743e-07
65536 2.475746807e-07
262144 8.601821847e-07
EOD
plot $data_0_0 using 1:2 with linespoints lw 2.5 dt 1 pt 5 ps 1.1 lc rgb '#0072B2' title 'one running sum, NVIDIA H200' noenhanced, $data_0_1 using 1:2 with linespoints lw 2.5 dt 1 pt 7 ps 1.1 lc rgb '#D55E00' title 'sums in blocks, NVIDIA H200' noenhanced
unset label 1
unset multiplot
