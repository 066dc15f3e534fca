import { ClientError } from '@millrace/client'
import type { groups, Reply } from '@millrace/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '#src/api/client.ts'
import type { DocumentComputer } from '#src/document/document-computer.ts'
import { createDocument, type FlowDocument } from '#src/document/document-store.ts'
import { beginWith, createDraftSaver, isUnchanged, type DraftPorts, type DraftSaver, type ServerText } from '#src/document/draft-saver.ts'
import { type FoundDraft, type LocalDrafts, openLocalDrafts } from '#src/document/local-drafts.ts'
import type { Reading } from '#src/document/reading.ts'
import { thisTab } from '#src/document/this-tab.ts'
import { workerComputer } from '#src/document/worker-computer.ts'
import type { Finding } from '#src/editor/diagnose.ts'
import { freshest } from '#src/editor/freshest.ts'

export type Workflow = Reply<(typeof groups)['workflows']['get']>

/** A document that is open in the editor, with what keeps it. */
export interface OpenDocument {
  readonly doc: FlowDocument
  readonly saver: DraftSaver
  /** Whether the text was found on this device, not sent. */
  readonly restored: boolean
}

const noDrafts: LocalDrafts = {
  found: () => Promise.resolve([]),
  put: () => Promise.resolve(),
  remove: () => Promise.resolve(),
  forget: () => Promise.resolve(),
}

/** Opens the text of a workflow: as it was typed here last, or as the server has it. Undefined until the device was asked. */
export function useDocument(workflow: Workflow, onDiagnostics: (findings: readonly Finding[]) => void): OpenDocument | undefined {
  const queries = useQueryClient()
  const [open, setOpen] = useState<OpenDocument>()
  const [failure, setFailure] = useState<{ readonly error: unknown }>()
  // Shown by the page, with its reason.
  if (failure !== undefined) throw failure.error
  useEffect(() => {
    let stopped: (() => void) | undefined
    let current = true
    // What was saved is what the tabs of the page, and the next opening, begin with.
    const onSaved = ({ text, revision }: ServerText) => {
      isSaved = true
      queries.setQueryData<Workflow>(['workflow', workflow.id], (known) =>
        known === undefined ? known : { ...known, ...outdated(known), source: text, revision, hasUnpublishedChanges: true },
      )
    }
    let isSaved = false
    /** Findings of a text that was saved meanwhile are newer. */
    const onFirst = (findings: readonly Finding[] | undefined) => {
      if (findings !== undefined && !isSaved) onDiagnostics(findings)
    }
    const begin = async () => {
      // A browser that keeps nothing, such as one in private mode, still edits.
      const drafts = await thisTab()
        .then(openLocalDrafts)
        .catch(() => noDrafts)
      await ended(workflow.id)
      const read = () => api.workflows.get({ params: { id: workflow.id } })
      const server = await freshest<Workflow>(queries, { queryKey: ['workflow', workflow.id], queryFn: read, known: workflow })
      const [local, ...others] = await takeDrafts(drafts, server)
      const { text } = beginWith(local, serverText(server))
      const opening = await openComputer(server.syntax, text)
      if (!current) {
        opening.computer.stop()
        return
      }
      const opened = openOn(server, portsOf(server, drafts, { onDiagnostics, onSaved }), [local, ...others], opening)
      stopped = opened.stop
      setOpen(opened)
      // A text that differs from that of the server is sent soon, and its findings come with the response.
      if (!opened.restored) opened.saver.after(findingsOf(server).then((findings) => current && onFirst(findings)))
    }
    void begin().catch((error: unknown) => {
      if (current) setFailure({ error })
    })
    return () => {
      current = false
      stopped?.()
    }
    // A document is opened once: later replies of the server do not replace what is typed.
  }, [workflow.id])
  return open
}

/** Documents that were closed and still send what was typed last, by the id of the workflow. */
const ending = new Map<string, Promise<unknown>>()
/** What a server that does not respond takes is sent by the document that opens. */
const endMsMax = 3000

/** Waits for the document of a workflow that was closed a moment ago: two of them would send the same text at different revisions. */
async function ended(workflow: string): Promise<void> {
  const before = ending.get(workflow)
  if (before !== undefined) await Promise.race([before, new Promise((resolve) => setTimeout(resolve, endMsMax))])
}

/** A request for another draft than the present one. */
function outdated({ publishing }: Workflow): Pick<Workflow, 'publishing'> {
  if (publishing === undefined || publishing.request === null) return {}
  return { publishing: { ...publishing, request: { ...publishing.request, isCurrent: false } } }
}

function openOn(
  workflow: Workflow,
  ports: DraftPorts,
  [local, ...others]: readonly [FoundDraft | undefined, ...FoundDraft[]],
  { computer, reading }: OpenComputer,
): OpenDocument & { readonly stop: () => void } {
  const server = serverText(workflow)
  const { text, conflict } = beginWith(local, server)
  const { syntax } = workflow
  const doc = createDocument({ text, syntax, computer, reading })
  const base = local !== undefined && conflict ? { text: local.base, revision: local.revision } : server
  const saver = createDraftSaver(workflow.id, base, doc.state().doc.toString(), ports, others)
  const leave = doc.store.subscribe(({ text: next }) => saver.changed(next))
  const onHide = () => void saver.flush().catch(() => undefined)
  window.addEventListener('online', onHide)
  document.addEventListener('visibilitychange', onHide)
  return {
    doc,
    saver,
    restored: text !== server.text,
    stop() {
      window.removeEventListener('online', onHide)
      document.removeEventListener('visibilitychange', onHide)
      // What was typed last into a field may still be on its way into the text; fields that end with the editor send it in this turn.
      const end = Promise.resolve()
        .then(doc.settled)
        .then(saver.flush)
        .catch(() => undefined)
        .finally(() => {
          leave()
          saver.stop()
          computer.stop()
          if (ending.get(workflow.id) === end) ending.delete(workflow.id)
        })
      ending.set(workflow.id, end)
    },
  }
}

/** What the server finds in the draft now, such as variables that the account no longer has. The same text again changes nothing. */
async function findingsOf({ id, source, syntax, revision }: Workflow): Promise<readonly Finding[] | undefined> {
  try {
    return (await api.workflowDrafts.save({ params: { id }, body: { text: source, syntax } }, { ifMatch: revision })).diagnostics
  } catch {
    // The next save says it.
    return undefined
  }
}

/** The draft that this tab continues, and the texts of other tabs that differ from it and from that of the server. */
async function takeDrafts(drafts: LocalDrafts, workflow: Workflow): Promise<readonly [FoundDraft | undefined, ...FoundDraft[]]> {
  const kept = await drafts.found(workflow.id).catch(() => [])
  for (const draft of kept.filter(isUnchanged)) await drafts.forget(draft).catch(() => undefined)
  const [first, ...rest] = kept.filter((draft) => !isUnchanged(draft))
  if (first === undefined) return [undefined]
  const server = serverText(workflow)
  const known = new Set([first.text, first.base, server.text])
  const { tab, ...draft } = first
  // The text of another tab becomes that of this one, and is here before it is removed there.
  if (tab !== (await thisTab()))
    await drafts.put(draft).then(
      () => drafts.forget(first),
      () => undefined,
    )
  const others: FoundDraft[] = []
  for (const other of rest) {
    if (known.has(other.text)) await drafts.forget(other).catch(() => undefined)
    else others.push(other)
    known.add(other.text)
  }
  return [first, ...others]
}

interface OpenComputer {
  readonly computer: DocumentComputer
  readonly reading: Reading
}

/** Reads a text by a worker; in this thread where the browser starts none. */
async function openComputer(syntax: Workflow['syntax'], text: string): Promise<OpenComputer> {
  const computer = workerComputer(syntax)
  try {
    return { computer, reading: await computer.read(text) }
  } catch {
    computer.stop()
    const { localComputer } = await import('#src/document/document-computer.ts')
    const local = localComputer(syntax)
    return { computer: local, reading: await local.read(text) }
  }
}

function serverText({ source, revision }: Pick<Workflow, 'source' | 'revision'>): ServerText {
  // The editor knows one kind of line end.
  return { text: source.replaceAll(/\r\n?/g, '\n'), revision }
}

interface SavedPorts {
  readonly onDiagnostics: (findings: readonly Finding[]) => void
  readonly onSaved: (saved: ServerText) => void
}

function portsOf({ id, syntax }: Workflow, drafts: LocalDrafts, { onDiagnostics, onSaved }: SavedPorts): DraftPorts {
  return {
    drafts,
    async send(text, ifMatch) {
      const { revision, diagnostics } = await api.workflowDrafts.save({ params: { id }, body: { text, syntax } }, { ifMatch })
      onDiagnostics(diagnostics)
      onSaved({ text, revision })
      return revision
    },
    async read() {
      const found = await api.workflows.get({ params: { id } })
      const { updatedBy: by, updatedAt: at } = found
      return { ...serverText(found), ...(by === undefined ? {} : { changed: { by, at } }) }
    },
    isConflict: (error) => error instanceof ClientError && (error.code === 'revision_mismatch' || error.status === 412),
    later(act, ms) {
      const timer = setTimeout(act, ms)
      return () => clearTimeout(timer)
    },
  }
}
