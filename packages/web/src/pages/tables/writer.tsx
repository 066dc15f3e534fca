import { Link } from '@tanstack/react-router'
import { t } from '#src/pages/tables/texts.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Time } from '#src/ui/time.tsx'
import type { Row } from './columns.ts'

/** The run that wrote a row last; undefined for a person or a program. */
export function runOf({ writtenBy }: Row): string | undefined {
  const [kind, id] = writtenBy.split(':')
  return kind === 'execution' ? id : undefined
}

/** The mark of a row that a test wrote. */
export function OfTest() {
  return <Badge tone="wait">{t.ofTest}</Badge>
}

/** When a row was written last, with a link to the run that did. */
export function Written({ row }: { readonly row: Row }) {
  const run = runOf(row)
  const time = <Time at={row.updatedAt} kind="ago" />
  return run === undefined ? <span className="i2">{time}</span> : <Link to={`/runs/${run}`}>{time}</Link>
}
