import { labelFilterOf } from '@millrace/contract'
import { Link } from '@tanstack/react-router'

/** What a run is about; each label leads to the runs that have it. */
export function RunLabels({ labels }: { readonly labels: Readonly<Record<string, string>> | undefined }) {
  if (labels === undefined) return null
  return (
    <span className="run-labels">
      {Object.entries(labels).map(([name, value]) => (
        <Link key={name} to="/runs" search={{ label: labelFilterOf([{ name, value }]) }} title={`${name}: ${value}`} dir="auto">
          <bdi className="i3">{name}</bdi> <bdi>{value}</bdi>
        </Link>
      ))}
    </span>
  )
}
