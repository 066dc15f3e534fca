import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { m } from '#src/messages/messages.ts'
import { Outside } from '#src/pages/session/outside.tsx'
import { SecondStep } from '#src/pages/session/second-step.tsx'
import { fragment, localPath, takeFragment } from '#src/pages/session/fragment.ts'
import { signInByCode } from '#src/session/rare-entrances.ts'
import type { Challenge } from '#src/session/session.ts'
import { ProblemPanel } from '#src/ui/problem.tsx'

/** The browser comes back from a sign-in provider with a one-time code. */
export function Page() {
  const navigate = useNavigate()
  const { to }: { to?: string } = useSearch({ strict: false })
  const [challenge, setChallenge] = useState<Challenge>()
  const [problem, setProblem] = useState<unknown>()
  const begun = useRef(false)
  const enter = () => navigate({ href: `${localPath(to)}${takeFragment()}`, replace: true })
  useEffect(() => {
    // A code works once, and an effect may run twice.
    if (begun.current) return
    begun.current = true
    signInByCode(fragment('code'))
      .then((missing) => (missing === undefined ? enter() : setChallenge(missing)))
      .catch(setProblem)
  })
  return (
    <Outside title={challenge === undefined ? m.links.returning : m.session.second} lede={location.host}>
      {challenge !== undefined && <SecondStep challenge={challenge} done={enter} />}
      {problem !== undefined && <ProblemPanel error={problem} />}
      {problem !== undefined && (
        <p className="t13 i2">
          <Link to="/sign-in">{m.links.backToSignIn}</Link>
        </p>
      )}
    </Outside>
  )
}
