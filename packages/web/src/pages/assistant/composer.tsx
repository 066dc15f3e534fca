import { ClientError } from '@millrace/client'
import { useId } from 'react'
import { m } from '#src/messages/messages.ts'
import { withSpoken } from '#src/pages/assistant/message-text.ts'
import { canDictate, type Dictation, useDictation } from '#src/pages/assistant/use-dictation.ts'
import { Button } from '#src/ui/button.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'

interface ComposerProps {
  readonly text: string
  readonly setText: (change: (before: string) => string) => void
  readonly busy: boolean
  readonly send: (message: string) => void
  /** Adds the message to the conversation without asking the model. */
  readonly note: (message: string) => void
  readonly stop: () => void
}

/** Where a person writes: Enter sends, Shift and Enter begin a new line. */
export function Composer({ text, setText, busy, send, note, stop }: ComposerProps) {
  const a = m.assistant
  const id = useId()
  const dictation = useDictation((spoken) => setText((before) => withSpoken(before, spoken)))
  const empty = text.trim() === ''
  const submit = () => {
    if (!empty && !busy) send(text.trim())
  }
  return (
    <form
      className="composer panel"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <label className="vh" htmlFor={id}>
        {a.message}
      </label>
      <textarea
        id={id}
        rows={2}
        dir="auto"
        autoFocus
        placeholder={a.placeholder}
        value={text}
        onChange={({ target: { value } }) => setText(() => value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
          event.preventDefault()
          submit()
        }}
      />
      <div className="row">
        <span className="t12 i3 phone-hide">{a.keys}</span>
        <span className="sp" />
        {canDictate && !busy && <Speak dictation={dictation} />}
        {busy ? (
          <Button icon="stop" onClick={stop}>
            {a.stop}
          </Button>
        ) : (
          <>
            <Button look="quiet" disabled={empty} onClick={() => note(text.trim())}>
              {a.note}
            </Button>
            <Button type="submit" look="primary" disabled={empty}>
              {a.send}
            </Button>
          </>
        )}
      </div>
      {dictation.problem instanceof ClientError && <ProblemPanel error={dictation.problem} />}
      {dictation.problem !== undefined && !(dictation.problem instanceof ClientError) && (
        <p className="t13 b" role="alert">
          {a.noMicrophone}
        </p>
      )}
    </form>
  )
}

/** Speaks a message instead of writing it. The text can be changed before it is sent. */
function Speak({ dictation: { state, begin, finish } }: { readonly dictation: Dictation }) {
  const a = m.assistant
  if (state === 'recording')
    return (
      <Button icon="stop" onClick={finish}>
        {a.spoken}
      </Button>
    )
  return (
    <Button icon="mic" look="quiet" busy={state === 'transcribing'} onClick={begin}>
      {a.speak}
    </Button>
  )
}
