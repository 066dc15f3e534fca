import type { groups, Reply } from '@millrace/contract'
import { m } from '#src/messages/messages.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Icon } from '#src/ui/icon.tsx'

type Allowed = Reply<(typeof groups)['templates']['get']>['permissions']

const lists = ['hosts', 'functions', 'secrets', 'connections', 'workflows', 'events'] as const
const icons = { hosts: 'ext', functions: 'plug', secrets: 'key', connections: 'plug', workflows: 'flow', events: 'event' } as const

/** What a workflow may reach and use, before it is taken over. */
export function Permissions({ permissions }: { readonly permissions: Allowed }) {
  const p = m.permissions
  const { scripts, schedules } = permissions
  const used = lists.filter((name) => permissions[name].length > 0)
  if (used.length === 0 && !scripts && !schedules) return <p className="t13 i2">{p.nothing}</p>
  return (
    <dl className="permissions">
      {used.map((name) => (
        <div key={name}>
          <dt>
            <Icon name={icons[name]} />
            {p.kinds[name]}
          </dt>
          <dd>
            {permissions[name].map((one) => (
              <Badge key={one} tone="line">
                <bdi className="mono">{one === '*' ? p.anyHost : one}</bdi>
              </Badge>
            ))}
          </dd>
        </div>
      ))}
      {scripts && <Flag icon="warn" text={p.scripts} />}
      {schedules && <Flag icon="clock" text={p.schedules} />}
    </dl>
  )
}

function Flag({ icon, text }: { readonly icon: string; readonly text: string }) {
  return (
    <div>
      <dt>
        <Icon name={icon} />
        {text}
      </dt>
    </div>
  )
}
