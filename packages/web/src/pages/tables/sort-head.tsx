import { useNavigate } from '@tanstack/react-router'

interface SortHeadProps {
  readonly text: string
  readonly order: 'ascending' | 'descending' | 'none'
  /** The order that a press asks for; undefined for that of the keys. */
  readonly next: string | undefined
}

/** The head of a column by which a press sorts the rows. The cell around it says the order to screen readers. */
export function SortHead({ text, order, next }: SortHeadProps) {
  const navigate = useNavigate()
  const sort = () => {
    const search = ({ cursor: _cursor, sort: _sort, ...rest }: Readonly<Record<string, string>>) =>
      next === undefined ? rest : { ...rest, sort: next }
    void navigate({ to: '.', search, replace: true })
  }
  return (
    <button type="button" className="sort-head" onClick={sort}>
      <bdi>{text}</bdi>
      <span aria-hidden="true">{order === 'none' ? '' : order === 'ascending' ? '↑' : '↓'}</span>
    </button>
  )
}
