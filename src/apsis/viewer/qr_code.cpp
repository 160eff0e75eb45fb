// SPDX-License-Identifier: MIT
#include <apsis/viewer/qr_code.hpp>

#ifdef APSIS_HAS_QRENCODE
#include <qrencode.h>
#endif

#include <cstddef>

namespace apsis::viewer {

#ifdef APSIS_HAS_QRENCODE
bool qr_built_in() { return true; }

std::optional<QrCode> qr_code(const std::string& text) {
  // a screen has no dirt: the lowest level of correction makes the largest modules
  QRcode* made = QRcode_encodeString8bit(text.c_str(), 0, QR_ECLEVEL_L);
  if (made == nullptr) return std::nullopt;
  QrCode code{made->width, {}};
  const auto count = static_cast<std::size_t>(made->width) * static_cast<std::size_t>(made->width);
  for (std::size_t i = 0; i < count; ++i) code.dark.push_back((made->data[i] & 1U) != 0);
  QRcode_free(made);
  return code;
}
#else
bool qr_built_in() { return false; }
std::optional<QrCode> qr_code(const std::string& /*text*/) { return std::nullopt; }
#endif

std::string in_half_blocks(const QrCode& code, bool colour) {
  std::string text;
  for (int row = -qr_margin; row < code.side + qr_margin; row += 2) {
    if (colour) text += "\033[97;40m";
    for (int column = -qr_margin; column < code.side + qr_margin; ++column) {
      const bool above = !code.is_dark(row, column), below = !code.is_dark(row + 1, column);
      text += above && below ? "\u2588" : above ? "\u2580" : below ? "\u2584" : " ";
    }
    if (colour) text += "\033[0m";
    text += '\n';
  }
  return text;
}

}  // namespace apsis::viewer
