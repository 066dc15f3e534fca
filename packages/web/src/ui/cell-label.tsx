/** The head of a column, beside the value where the table has no heads. */
export function CellLabel({ text }: { readonly text: string }) {
  return <span className="cell-label">{`${text} `}</span>
}
