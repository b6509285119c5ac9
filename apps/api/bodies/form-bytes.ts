/** What a form may contain beside its file: the fields and the headers of all parts. */
export const FORM_BYTES = 64 * 1024;
