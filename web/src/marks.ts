// SPDX-License-Identifier: MIT
// Names beside bodies and the ring round the one that is followed, on a sheet over the sky; saved
// pictures have them, too.

export interface Mark {
  x: number;
  y: number; // CSS pixels
  radius: number; // of what is drawn there
  text: string;
  weight: number; // the heavier one keeps its name where two are close
  chosen: boolean;
  id: number;
}
interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}
export interface Inks {
  size: number; // of words, CSS pixels
  word: string;
  ring: string;
}

const meet = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

// Names are put where no other one is: right, left, above or below. A body so close to a heavier
// one that nobody could say whose name it is goes without. Gives back where names can be clicked.
export function drawMarks(pen: CanvasRenderingContext2D, marks: readonly Mark[], width: number, height: number, inks: Inks): (Box & { id: number })[] {
  const near = 0.9 * inks.size, placed: (Box & { id: number })[] = [], shown: Mark[] = [];
  pen.font = `${inks.size}px system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif`;
  pen.textBaseline = "middle", pen.lineJoin = "round";
  for (const mark of [...marks].sort((a, b) => Number(b.chosen) - Number(a.chosen) || b.weight - a.weight)) {
    if (mark.x < 0 || mark.y < 0 || mark.x > width || mark.y > height) continue;
    if (mark.chosen) ring(pen, mark, inks);
    const hidden = shown.some((other) => Math.hypot(other.x - mark.x, other.y - mark.y) < near);
    if (!hidden) shown.push(mark);
    if (mark.text === "" || (hidden && !mark.chosen)) continue;
    const long = pen.measureText(mark.text).width, high = 1.1 * inks.size, off = mark.radius + (mark.chosen ? 9 : 5);
    const box = (left: number, top: number) => ({ left, top, right: left + long, bottom: top + high, id: mark.id });
    const place = [box(mark.x + 0.7 * off, mark.y - 0.7 * off - high), box(mark.x + off, mark.y - high / 2), box(mark.x - off - long, mark.y - high / 2), box(mark.x - long / 2, mark.y - off - high), box(mark.x - long / 2, mark.y + off)]
      .find((each) => each.left >= 2 && each.right <= width - 2 && each.top >= 2 && each.bottom <= height - 2 && placed.every((other) => !meet(each, other)) && marks.every((other) => other === mark || !meet(each, { left: other.x - 3, right: other.x + 3, top: other.y - 3, bottom: other.y + 3 })));
    if (!place) continue;
    placed.push(place);
    pen.lineWidth = 3, pen.strokeStyle = "rgba(0, 0, 0, 0.75)", pen.fillStyle = inks.word;
    pen.strokeText(mark.text, place.left, place.top + high / 2);
    pen.fillText(mark.text, place.left, place.top + high / 2);
  }
  return placed;
}

function ring(pen: CanvasRenderingContext2D, mark: Mark, inks: Inks): void {
  pen.strokeStyle = inks.ring, pen.lineWidth = 1.5;
  const radius = mark.radius + 6;
  // open at four places, so that it is no body itself
  for (let quarter = 0; quarter < 4; ++quarter) {
    const begin = (quarter + 0.15) * (Math.PI / 2);
    pen.beginPath();
    pen.arc(mark.x, mark.y, radius, begin, begin + 0.7 * (Math.PI / 2));
    pen.stroke();
  }
}
