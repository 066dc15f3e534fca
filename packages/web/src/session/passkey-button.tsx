import { useState } from 'react'
import { m } from '#src/messages/messages.ts'
import { canUsePasskeys } from '#src/session/can-use-passkeys.ts'
import { Button } from '#src/ui/button.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'

/** Uses a passkey; absent where the browser or the address of the page admits none. What the person cancels is no error. */
export function PasskeyButton({ use, large = false }: { readonly use: () => Promise<unknown>; readonly large?: boolean }) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  if (!canUsePasskeys()) return null
  const press = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      await use()
    } catch (error) {
      if (!(error instanceof DOMException && error.name === 'NotAllowedError')) setProblem(error)
    }
    setBusy(false)
  }
  return (
    <>
      <Button size={large ? 'lg' : 'md'} busy={busy} onClick={() => void press()}>
        {m.passkeys.use}
      </Button>
      {problem !== undefined && <ProblemPanel error={problem} />}
    </>
  )
}
