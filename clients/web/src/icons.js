/** Paths of pictures on a ground of 24 by 24, drawn as lines. */
export const ICONS = {
  list: "M4 6h16v12H4zM4 7l8 6 8-6",
  search: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM15.5 15.5 20 20",
  choice: "M4 6h9M4 12h6M4 18h4M13 16l3 3 5-7",
  task: "M12 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM5 20c0-3.5 3-6 7-6s7 2.5 7 6",
  feed: "M4 11.5V4h7.5L20 12.5 12.5 20ZM8 8h.01",
  other: "M5 5h5v5H5zM14 5h5v5h-5zM5 14h5v5H5zM14 14h5v5h-5z",
  refresh: "M19 8a8 8 0 1 0 1 6M20 3v5h-5",
  back: "M15 5l-7 7 7 7",
  next: "M9 5l7 7-7 7",
  close: "M6 6l12 12M18 6 6 18",
  sun: "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.5 1.5M17.5 17.5 19 19M19 5l-1.5 1.5M6.5 17.5 5 19",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5Z",
  system: "M4 5h16v11H4zM9 20h6M12 16v4",
  warning: "M12 4 2.5 20h19ZM12 10v4.5M12 17.5h.01",
  offline: "M3 3l18 18M8.5 15.5a5 5 0 0 1 5.5-1M5 12a10 10 0 0 1 4-2.5M15 9.5a10 10 0 0 1 4 2.5M2 8.5a15 15 0 0 1 4-2.5M11 5a15 15 0 0 1 11 3.5M12 19h.01",
  empty: "M4 13l3-8h10l3 8v6H4zM4 13h5l1 2.5h4L15 13h5",
};
