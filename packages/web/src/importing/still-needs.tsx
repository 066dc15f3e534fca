import type { groups, Reply } from '@millrace/contract'
import { Link } from '@tanstack/react-router'
import { m } from '#src/messages/messages.ts'
import { ButtonLink } from '#src/ui/button.tsx'
import { Icon } from '#src/ui/icon.tsx'

type Requirements = Reply<(typeof groups)['workflows']['executionRequirements']>

interface StillNeedsProps {
  readonly workflow: { readonly id: string; readonly name: string }
  readonly requirements: Requirements
}

const kinds = ['secrets', 'variables', 'connections', 'workflows', 'permissions'] as const
const icons = { secrets: 'key', variables: 'var', connections: 'plug', workflows: 'flow', permissions: 'shield' } as const
const places = { secrets: '/variables', variables: '/variables', workflows: '/workflows' } as const

/** A new workflow, and what is missing before it can run. */
export function StillNeeds({ workflow, requirements }: StillNeedsProps) {
  const i = m.importing
  const missing = kinds.flatMap((kind) => requirements[kind].filter((need) => need.missing).map(({ name }) => ({ kind, name })))
  return (
    <section className="form" role="status">
      <p>
        <b className="b">{i.made(workflow.name)}</b> {missing.length > 0 && i.stillNeeds}
      </p>
      <ul className="needs-list">
        {missing.map(({ kind, name }) => (
          <li key={`${kind}.${name}`} className="row">
            <Icon name={icons[kind]} />
            <span className="i2">{i.kinds[kind]}</span>
            <bdi className="mono">{name}</bdi>
            <span className="sp" />
            {kind in places && <Link to={placeOf(kind)}>{i.fill}</Link>}
          </li>
        ))}
      </ul>
      <div className="row">
        <ButtonLink to={`/workflows/${workflow.id}`} look="primary">
          {i.open}
        </ButtonLink>
      </div>
    </section>
  )
}

function placeOf(kind: (typeof kinds)[number]): string {
  const all: Readonly<Partial<Record<(typeof kinds)[number], string>>> = places
  return all[kind] ?? '/'
}
