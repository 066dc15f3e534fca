import type { groups, Reply } from '@millrace/contract'
import { Link } from '@tanstack/react-router'
import { m } from '#src/messages/messages.ts'
import { newAsked } from '#src/patterns/new-asked.ts'
import { Icon } from '#src/ui/icon.tsx'

export type Requirements = Reply<(typeof groups)['workflows']['executionRequirements']>

const kinds = ['secrets', 'variables', 'connections', 'models', 'workflows', 'permissions'] as const
type Kind = (typeof kinds)[number]
const icons = { secrets: 'key', variables: 'var', connections: 'plug', models: 'agent', workflows: 'flow', permissions: 'shield' } as const
/** Where a person adds what is missing; only an operator can give a permission. */
const places: Readonly<Partial<Record<Kind, string>>> = {
  secrets: '/variables',
  variables: '/variables',
  connections: '/connections',
  models: '/settings/models',
  workflows: '/workflows',
}

export interface NamedNeed {
  readonly kind: Kind
  readonly name: string
  readonly missing: boolean
}

/** What a workflow needs besides its input, in a fixed order of kinds. */
export function needsOf(requirements: Requirements): readonly NamedNeed[] {
  return kinds.flatMap((kind) => (requirements[kind] ?? []).map(({ name, missing }) => ({ kind, name, missing })))
}

/** Each need, with a link to where it is added if it is missing. */
export function NeedsList({ needs }: { readonly needs: readonly NamedNeed[] }) {
  const i = m.importing
  return (
    <ul className="needs-list">
      {needs.map(({ kind, name, missing }) => (
        <li key={`${kind}.${name}`} className="row">
          <Icon name={icons[kind]} />
          <span className="i2">{i.kinds[kind]}</span>
          <bdi className="mono trunc">{name}</bdi>
          <span className="sp" />
          {missing && places[kind] === undefined && <span className="c-wait">{i.missing}</span>}
          {missing && places[kind] !== undefined && (
            <Link
              to={places[kind]}
              {...(kind === 'secrets' || kind === 'variables' || kind === 'connections' ? { search: { at: newAsked(kind, name) } } : {})}
            >
              {i.fill}
            </Link>
          )}
        </li>
      ))}
    </ul>
  )
}
