import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { Loaded } from '#src/patterns/loaded.tsx'
import { Page as Framed } from '#src/patterns/page.tsx'
import { CompareView } from '#src/run/compare-view.tsx'
import { type RunDetail, useRun } from '#src/run/use-run.ts'
import { ButtonLink } from '#src/ui/button-link.tsx'
import { Empty } from '#src/ui/empty.tsx'

/** Two runs beside each other, named in the address. */
export function Page() {
  const { a = '', b = '' }: { a?: string; b?: string } = useSearch({ strict: false })
  const left = useDetail(a)
  const right = useDetail(b)
  if (a === '' || b === '')
    return (
      <Framed title={m.compare.title}>
        <Empty title={m.compare.emptyTitle} text={m.compare.emptyText} action={<ButtonLink to="/runs">{m.nav.runs}</ButtonLink>} />
      </Framed>
    )
  return (
    <Loaded query={left}>
      {(one) => <Loaded query={right}>{(other) => <Compared key={`${a} ${b}`} left={one} right={other} />}</Loaded>}
    </Loaded>
  )
}

function useDetail(id: string) {
  return useQuery({
    queryKey: ['run', id],
    enabled: id !== '',
    queryFn: () => api.workflows.execution({ params: { executionId: id }, query: { limit: 1 } }),
  })
}

function Compared({ left, right }: { readonly left: RunDetail; readonly right: RunDetail }) {
  const one = useRun(left.id)
  const other = useRun(right.id)
  return (
    <Framed
      title={m.compare.title}
      lede={m.compare.lede}
      wide
      actions={
        <ButtonLink to={`/runs/compare?a=${right.id}&b=${left.id}`} icon="shift">
          {m.compare.swap}
        </ButtonLink>
      }
    >
      <CompareView
        left={{ run: { ...left, ...one.summary }, entries: one.entries }}
        right={{ run: { ...right, ...other.summary }, entries: other.entries }}
      />
    </Framed>
  )
}
