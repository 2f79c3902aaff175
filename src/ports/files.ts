export type FileText = { readonly text: string } | { readonly missing: true } | { readonly unreadable: string };

/** Reads text files, paths counted from the working directory. */
export interface Files {
  read(path: string): FileText;
}

/** The built files of the dashboard; none where it has not been built. */
export interface PageFiles {
  /** A file by its path from the page's folder: "index.html", "assets/main-x1.js". */
  find(path: string): PageFile | undefined;
}

export interface PageFile {
  readonly content: Uint8Array<ArrayBuffer>;
  readonly mediaType: string;
}
