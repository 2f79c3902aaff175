export type FileText = { readonly text: string } | { readonly missing: true } | { readonly unreadable: string };

/** Reads text files, paths counted from the working directory. */
export interface Files {
  read(path: string): FileText;
}
