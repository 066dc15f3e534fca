import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { IconButton } from '#src/ui/button.tsx'
import { ButtonLink } from '#src/ui/button-link.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'
import { Time } from '#src/ui/time.tsx'

/** The own conversations, newest first. */
export function Conversations({ current }: { readonly current: string | undefined }) {
  const a = m.assistant
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { confirm, sheet } = useSheet()
  const list = useQuery({
    queryKey: ['assistant', 'conversations'],
    queryFn: () => api.assistant.conversations({ query: { limit: 50 } }),
  })
  const remove = (id: string) =>
    confirm(a.remove, a.removeText, async () => {
      await api.assistant.deleteConversation({ params: { id } })
      if (id === current) await navigate({ to: '/assistant' })
      await queries.invalidateQueries({ queryKey: ['assistant', 'conversations'] })
    })
  return (
    <nav className="panel conversations" aria-label={a.conversations}>
      <div className="row wrap">
        <ButtonLink to="/assistant" icon="plus" size="sm">
          {a.create}
        </ButtonLink>
        <ButtonLink to="/assistant/proposals" icon="check" look="quiet" size="sm">
          {m.reach.proposals}
        </ButtonLink>
        <ButtonLink to="/assistant/drafts" icon="letter" look="quiet" size="sm">
          {a.drafts}
        </ButtonLink>
      </div>
      {list.isError && <ProblemPanel error={list.error} retry={() => void list.refetch()} />}
      {list.data?.data.length === 0 && <p className="t13 i3">{a.noConversations}</p>}
      <ul>
        {list.data?.data.map(({ id, title, updatedAt }) => (
          <li key={id} className={id === current ? 'row on' : 'row'}>
            <Link to={`/assistant/${id}`} className="grow quiet-link" aria-current={id === current ? 'page' : undefined}>
              <span className="blk trunc">
                <bdi>{title}</bdi>
              </span>
              <span className="t12 i3">
                <Time at={updatedAt} kind="ago" />
              </span>
            </Link>
            <IconButton icon="x" size="sm" label={`${a.remove}: ${title}`} onClick={() => remove(id)} />
          </li>
        ))}
      </ul>
      <p className="t12 i3 row">
        <Icon name="lock" />
        {a.onlyYou}
      </p>
      {sheet}
    </nav>
  )
}
