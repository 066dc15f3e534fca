import type { groups, Reply } from '@millrace/contract'
import { m } from '#src/messages/messages.ts'
import { Page as Shell } from '#src/patterns/page.tsx'
import { useMay } from '#src/session/use-may.ts'
import { triggerWord } from '#src/ui/badge.tsx'
import { ButtonLink } from '#src/ui/button-link.tsx'
import { Icon } from '#src/ui/icon.tsx'

type Workflow = Reply<(typeof groups)['workflows']['list']>['data'][number]

/** The home page of an account whose workflows have never run: what each of them needs for its first run. */
export function Unrun({ workflows }: { readonly workflows: readonly Workflow[] }) {
  const h = m.home
  const mayChange = useMay('workflows:write')
  const first = workflows.find((one) => stageOf(one) !== 'waits')
  return (
    <Shell
      title={h.unrun}
      place={m.nav.home}
      {...(mayChange && { lede: h.unrunText })}
      actions={
        mayChange && (
          <ButtonLink to="/new" icon="plus">
            {m.workflows.create}
          </ButtonLink>
        )
      }
    >
      <ul className="panel needs">
        {workflows.map((workflow) => {
          const { id, name } = workflow
          const stage = stageOf(workflow)
          return (
            <li key={id} className="need">
              <span className="gly race">
                <Icon name="flow" />
              </span>
              <div className="grow">
                <p className="b">
                  <bdi>{name}</bdi>
                </p>
                <p className="t13 i2">
                  {stage === 'waits' ? h.stages.waits(startsOf(workflow).map(triggerWord).join(', ')) : h.stages[stage]}
                </p>
              </div>
              <ButtonLink
                to={stage === 'startless' ? `/workflows/${id}?tab=starts` : `/workflows/${id}`}
                look={mayChange && workflow === first ? 'primary' : 'plain'}
              >
                {h.stageActions[mayChange ? stage : 'waits']}
              </ButtonLink>
            </li>
          )
        })}
      </ul>
    </Shell>
  )
}

/** What starts a workflow beside a person. */
const startsOf = ({ triggers, startKinds }: Workflow) => [...new Set([...triggers, ...startKinds])].filter((kind) => kind !== 'manual')

/** What a workflow that has never run needs: to be published, to be turned on, a start, or only time. */
function stageOf(workflow: Workflow): 'draft' | 'disabled' | 'startless' | 'waits' {
  if (workflow.state !== 'published') return workflow.state
  return startsOf(workflow).length === 0 ? 'startless' : 'waits'
}
