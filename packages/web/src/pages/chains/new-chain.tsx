import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { ChainForm } from '#src/pages/chains/chain-form.tsx'
import { Page as Shell } from '#src/patterns/page.tsx'

/** Builds a chain. */
export function Page() {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return (
    <Shell title={m.chains.create} lede={m.chains.lede}>
      <ChainForm
        send={(content) => api.chains.create({ body: content })}
        done={async ({ id }) => {
          await queries.invalidateQueries({ queryKey: ['chains'] })
          await navigate({ to: `/chains/${id}`, ignoreBlocker: true })
        }}
      />
    </Shell>
  )
}
