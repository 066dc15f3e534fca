import { history } from '@codemirror/commands'
import { MergeView } from '@codemirror/merge'
import { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { useEffect, useRef, useState } from 'react'
import type { FlowDocument } from '#src/document/document-store.ts'
import { joinTexts } from '#src/document/join-texts.ts'
import type { DraftSaver, ServerText } from '#src/document/draft-saver.ts'
import { changesBetween } from '#src/editor/their-changes.ts'
import { textExtensions } from '#src/editor/text-extensions.ts'
import { m } from '#src/messages/messages.ts'
import { usePeople } from '#src/patterns/use-people.ts'
import { useSession } from '#src/session/session.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { exactTime } from '#src/values/format.ts'

interface ConflictProps {
  readonly doc: FlowDocument
  readonly saver: DraftSaver
  readonly theirs: ServerText
  readonly from: 'server' | 'tab'
  /** The text that both came of. */
  readonly base: string | undefined
}

/** Two texts that came of one: a person decides what becomes of them. The own text stays editable. */
export function ConflictDialog({ doc, saver, theirs, from, base }: ConflictProps) {
  const c = from === 'tab' ? m.flowEditor.otherTab : m.flowEditor.conflict
  const [{ own, mine, isJoined }] = useState(() => {
    const { text } = doc.store.getState()
    const joined = base === undefined ? undefined : joinTexts(base, theirs.text, text)
    return { own: text, mine: joined ?? text, isJoined: joined !== undefined }
  })
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<MergeView>(null)
  useEffect(() => {
    if (place.current === null) return undefined
    const merge = new MergeView({
      parent: place.current,
      a: {
        doc: theirs.text,
        extensions: [textExtensions(c.theirs, doc.syntax), EditorState.readOnly.of(true), EditorView.editable.of(false)],
      },
      b: { doc: mine, extensions: [history(), textExtensions(c.mine, doc.syntax)] },
      collapseUnchanged: { margin: 3 },
      revertControls: 'a-to-b',
    })
    view.current = merge
    return () => merge.destroy()
  }, [doc, theirs, mine, c])
  const decide = (text: string) => {
    doc.setText(text)
    saver.resolve(text)
  }
  return (
    <Dialog title={c.title} onClose={() => undefined} modalOnly>
      {from === 'server' && <WhoChanged doc={doc} theirs={theirs} base={base} />}
      <p className="i2">{isJoined ? m.flowEditor.conflict.joined : c.text}</p>
      <div className="row t12 i3 merge-heads">
        <span>{c.theirs}</span>
        <span>{isJoined ? m.flowEditor.conflict.both : c.mine}</span>
      </div>
      <div ref={place} className="merge text-editor" />
      <div className="row form-foot">
        <Button look="primary" onClick={() => decide(view.current?.b.state.doc.toString() ?? mine)}>
          {isJoined ? m.flowEditor.conflict.keepBoth : c.keep}
        </Button>
        {isJoined && <Button onClick={() => decide(own)}>{c.keep}</Button>}
        <Button onClick={() => decide(theirs.text)}>{c.take}</Button>
      </div>
    </Dialog>
  )
}

type WhoProps = Pick<ConflictProps, 'doc' | 'theirs' | 'base'>

/** Who changed the draft meanwhile, when, and which steps. */
function WhoChanged({ doc: { syntax }, theirs: { text, changed }, base }: WhoProps) {
  const people = usePeople()
  const own = useSession(({ me }) => `user:${me?.id}`)
  const [steps, setSteps] = useState<string>()
  useEffect(() => {
    if (base !== undefined) void changesBetween(base, text, syntax).then(setSteps)
  }, [base, text, syntax])
  if (changed === undefined) return null
  const { by, at } = changed
  const c = m.flowEditor.conflict
  return (
    <p>
      <b>{by === own ? c.byYou(exactTime(at)) : c.by(people.get(by) ?? c.byOther, exactTime(at))}</b>
      {steps !== undefined && ` ${steps}.`}
    </p>
  )
}
