import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { emptyDefinition } from '#src/pages/home/example.ts'

/** A part of a name that no other draft has. */
export const tagOfNow = () => Date.now().toString(36).slice(-4)

/** Makes a draft and opens it in the editor. */
export function useNewDraft() {
  const navigate = useNavigate()
  const [problem, setProblem] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const create = (definition: string) => {
    if (busy) return
    setBusy(true)
    setProblem(undefined)
    api.workflows
      .create({ body: { definition, publish: false } })
      .then(({ id }) => navigate({ to: `/workflows/${id}` }))
      .catch(setProblem)
      .finally(() => setBusy(false))
  }
  return { create, startEmpty: () => create(emptyDefinition(tagOfNow())), busy, problem }
}
