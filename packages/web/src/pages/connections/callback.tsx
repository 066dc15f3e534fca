import { ClientError } from '@millrace/client'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { Page as Framed } from '#src/patterns/page.tsx'
import { ButtonLink } from '#src/ui/button-link.tsx'
import { wordsOf } from '#src/ui/problem.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { toast } from '#src/ui/toast.tsx'

const shownCharacters = 200

/** The browser returns from the service with a code, which works once, or with a refusal. */
export function Page() {
  const k = m.connections
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [failure, setFailure] = useState<readonly string[]>()
  const begun = useRef(false)
  useEffect(() => {
    // A code works once, and an effect may run twice.
    if (begun.current) return
    begun.current = true
    const given = new URLSearchParams(location.search)
    const state = given.get('state') ?? ''
    const code = given.get('code') ?? ''
    const refusal = given.get('error_description') ?? given.get('error')
    const complete = async () => {
      // Neither state nor code stays in the address or in the history.
      await navigate({ to: '.', search: {}, replace: true })
      if (refusal !== null) return setFailure([k.denied(refusal.slice(0, shownCharacters))])
      if (state === '' || code === '') return setFailure([k.incomplete])
      const { id } = await api.connections.complete({ body: { state, code } })
      toast(k.authorized)
      await queries.invalidateQueries({ queryKey: ['connections'] })
      await navigate({ to: `/connections/${id}`, replace: true })
    }
    complete().catch((error: unknown) => {
      const { title, detail } = wordsOf(error)
      setFailure([title, detail, ...(error instanceof ClientError ? [k.authorizeFailed] : [])])
    })
  })
  return (
    <Framed title={failure === undefined ? k.returning : k.notAuthorized}>
      {failure === undefined ? (
        <Skeleton />
      ) : (
        <section className="problem" role="alert">
          {failure.map((text) => (
            <p key={text}>{text}</p>
          ))}
          <div className="row wrap">
            <ButtonLink to="/connections">{k.back}</ButtonLink>
          </div>
        </section>
      )}
    </Framed>
  )
}
