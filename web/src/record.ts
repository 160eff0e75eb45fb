// SPDX-License-Identifier: MIT
// Pictures and clips of what is on the screen, saved by the browser.

function save(data: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(data);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export const fileName = (title: string, ending: string): string =>
  `${title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "apsis"}-${new Date().toISOString().slice(0, 19).replace(/[:T]/g, "-")}.${ending}`;

export interface Caption {
  time: string;
  scale: string;
  scalePixels: number; // of the canvas
}

// `sky` must have been drawn in this very task: its pixels are gone afterwards.
export function savePicture(sky: HTMLCanvasElement, names: HTMLCanvasElement, caption: Caption, name: string): void {
  const picture = document.createElement("canvas");
  picture.width = sky.width, picture.height = sky.height;
  const pen = picture.getContext("2d")!;
  pen.drawImage(sky, 0, 0);
  if (names.width > 0) pen.drawImage(names, 0, 0, picture.width, picture.height);
  const unit = Math.max(12, sky.height / 45), margin = 1.5 * unit;
  pen.font = `${unit}px system-ui, sans-serif`;
  pen.fillStyle = pen.strokeStyle = "#c6d0e4";
  pen.lineWidth = Math.max(1, unit / 12);
  pen.fillText(caption.time, margin, sky.height - margin);
  const right = sky.width - margin, left = right - caption.scalePixels, base = sky.height - margin;
  pen.beginPath();
  pen.moveTo(left, base - unit / 3), pen.lineTo(left, base), pen.lineTo(right, base), pen.lineTo(right, base - unit / 3);
  pen.stroke();
  pen.textAlign = "center";
  pen.fillText(caption.scale, (left + right) / 2, base - unit / 2);
  picture.toBlob((data) => data && save(data, name), "image/png");
}

export class Recorder {
  private recorder: MediaRecorder | undefined;

  get running(): boolean {
    return this.recorder !== undefined;
  }

  toggle(sky: HTMLCanvasElement, name: string, changed: () => void): void {
    if (this.recorder) return this.recorder.stop();
    const type = ["video/webm;codecs=vp9", "video/webm", "video/mp4"].find((kind) => typeof MediaRecorder !== "undefined" && MediaRecorder.isTypeSupported(kind));
    if (!type) throw new Error("this browser cannot record; `apsis render` makes movies of a run");
    const recorder = new MediaRecorder(sky.captureStream(30), { mimeType: type, videoBitsPerSecond: 12e6 });
    const pieces: Blob[] = [];
    recorder.ondataavailable = (event) => pieces.push(event.data);
    recorder.onstop = () => {
      this.recorder = undefined;
      save(new Blob(pieces, { type }), `${name}.${type.includes("mp4") ? "mp4" : "webm"}`);
      changed();
    };
    recorder.start(1000);
    this.recorder = recorder;
    changed();
  }
}
