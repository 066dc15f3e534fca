import { Icon } from '#src/ui/icon.tsx'
import { toast } from '#src/ui/toast.tsx'
import { m } from '#src/messages/messages.ts'

/** The end of an id; a click copies the whole. */
export function Id({ value }: { readonly value: string }) {
  return (
    <button type="button" className="id" title={`${m.common.copy} ${value}`} onClick={() => copy(value)}>
      <bdi className="mono">{shortId(value)}</bdi>
    </button>
  )
}

/** Enough of an id to distinguish the runs of a page. */
export function shortId(value: string): string {
  return value.slice(-6)
}

export function CopyButton({ text, label = m.common.copy }: { readonly text: string; readonly label?: string }) {
  return (
    <button type="button" className="btn quiet icon sm" aria-label={label} title={label} onClick={() => copy(text)}>
      <Icon name="copy" />
    </button>
  )
}

export function copy(text: string): void {
  navigator.clipboard.writeText(text).then(
    () => toast(m.common.copied),
    () => toast(m.common.copyFailed, 'faulted'),
  )
}
