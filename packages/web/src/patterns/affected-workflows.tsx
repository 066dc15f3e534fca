import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { m } from '#src/messages/messages.ts'

/** A workflow that something else is needed by. */
export interface Affected {
  readonly id: string
  readonly name: string
  readonly managedBy: keyof typeof m.editor.callerKinds | null
  /** What else is to be known of it. */
  readonly note?: string | undefined
}

/** Workflows that a deletion concerns, by name; those that people edit with a link. */
export function AffectedWorkflows({
  title,
  workflows,
  more,
}: {
  readonly title: string
  readonly workflows: readonly Affected[]
  readonly more?: ReactNode
}) {
  return (
    <section>
      <h3 className="t13 b">{title}</h3>
      <ul className="needs-list">
        {workflows.map(({ id, name, managedBy, note }) => (
          <li key={id} className="row wrap">
            {managedBy === null ? (
              <Link to="/workflows/$id" params={{ id }} className="b">
                <bdi>{name}</bdi>
              </Link>
            ) : (
              <bdi className="b">{name}</bdi>
            )}
            {managedBy !== null && <span className="i2">{m.editor.callerKinds[managedBy]}</span>}
            {note !== undefined && <span className="i2">{note}</span>}
          </li>
        ))}
      </ul>
      {more}
    </section>
  )
}
