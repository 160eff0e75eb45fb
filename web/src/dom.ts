// SPDX-License-Identifier: MIT
// Elements of the page by their names.
export const find = <Kind extends HTMLElement>(id: string): Kind => document.getElementById(id) as Kind;
export const input = (id: string) => find<HTMLInputElement>(id);
export const choice = (id: string) => find<HTMLSelectElement>(id);
export const isPhone = () => matchMedia("(max-width: 720px)").matches;
