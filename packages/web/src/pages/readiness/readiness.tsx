import type { groups, Reply } from '@millrace/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { boot } from '#src/boot.ts'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { Questions } from '#src/pages/readiness/questions.tsx'
import { Result, Trend } from '#src/pages/readiness/result.tsx'
import { Loaded } from '#src/patterns/loaded.tsx'
import { Page as Shell } from '#src/patterns/page.tsx'
import { Button } from '#src/ui/button.tsx'
import { Empty } from '#src/ui/empty.tsx'

type Assessment = Reply<(typeof groups)['dx']['assess']>

/** How ready the organisation is for digital work: the questions, the result with next steps, and the own trend. */
export function Page() {
  const r = m.readiness
  const { locale } = boot
  const queries = useQueryClient()
  const [asking, setAsking] = useState(false)
  const [fresh, setFresh] = useState<Assessment>()
  const questions = useQuery({ queryKey: ['dx'], queryFn: () => api.dx.questions({ query: { locale } }) })
  const history = useQuery({ queryKey: ['dx.history'], queryFn: () => api.dx.history({ query: { locale } }) })
  const shown = fresh ?? history.data?.data[0]
  const begin = (
    <Button look="primary" onClick={() => setAsking(true)}>
      {shown === undefined ? r.begin : r.again}
    </Button>
  )
  const done = (result: Assessment) => {
    setFresh(result)
    setAsking(false)
    void queries.invalidateQueries({ queryKey: ['dx.history'] })
  }
  return (
    <Shell title={r.title} lede={r.lede} actions={asking || shown === undefined ? undefined : begin}>
      {asking ? (
        <Loaded query={questions}>{(data) => <Questions questionnaire={data} done={done} />}</Loaded>
      ) : (
        <Loaded query={history}>
          {({ trend }) => (
            <>
              {shown === undefined ? <Empty title={r.noneTitle} text={r.none} action={begin} /> : <Result assessment={shown} />}
              {trend !== null && <Trend points={trend.points} change={trend.change} />}
            </>
          )}
        </Loaded>
      )}
    </Shell>
  )
}
