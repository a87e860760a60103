/** As much of React's types as an element of one's own needs. */
export interface HTMLAttributes<Of> {
  className?: string;
  children?: unknown;
  onClick?: (event: { currentTarget: Of }) => void;
}
export type DetailedHTMLProps<Attributes, Of> = Attributes & { key?: string; ref?: { current: Of | null } };
export namespace JSX {
  interface IntrinsicElements {
    div: DetailedHTMLProps<HTMLAttributes<HTMLDivElement>, HTMLDivElement>;
  }
}
export function jsx(type: string, props: unknown): unknown;
export function jsxs(type: string, props: unknown): unknown;
