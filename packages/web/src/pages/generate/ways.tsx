import { Link } from '@tanstack/react-router'
import { m } from '#src/messages/messages.ts'
import { useNewDraft } from '#src/pages/home/use-new-draft.ts'
import { Page as Shell } from '#src/patterns/page.tsx'
import { useMay } from '#src/session/use-may.ts'
import { Empty } from '#src/ui/empty.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'

/** The ways to a new workflow. */
export function Page() {
  const w = m.making
  const { startEmpty, busy, problem } = useNewDraft()
  const mayMake = useMay('workflows:write')
  const ways = [
    ['/new/words', 'assist', w.words, w.wordsText],
    ['/templates', 'template', w.template, w.templateText],
    ['/new/import', 'download', w.file, w.fileText],
    ['/marketplace', 'shop', w.marketplace, w.marketplaceText],
    ['/record', 'eye', w.capture, w.captureText],
    ['/workflows/new', 'text', w.text, w.textText],
  ] as const
  if (!mayMake)
    return (
      <Shell title={w.title}>
        <Empty title={w.notYoursTitle} text={w.notYours} />
      </Shell>
    )
  return (
    <Shell title={w.title} lede={w.lede} wide>
      {problem !== undefined && <ProblemPanel error={problem} />}
      <ul className="gallery ways">
        <li>
          <button type="button" className="panel tile" aria-busy={busy} onClick={startEmpty}>
            <Way icon="plus" title={w.empty} text={w.emptyText} />
          </button>
        </li>
        {ways.map(([path, icon, title, text]) => (
          <li key={path}>
            <Link to={path} className="panel tile">
              <Way icon={icon} title={title} text={text} />
            </Link>
          </li>
        ))}
      </ul>
    </Shell>
  )
}

function Way({ icon, title, text }: { readonly icon: string; readonly title: string; readonly text: string }) {
  return (
    <>
      <span className="gly">
        <Icon name={icon} />
      </span>
      <b className="bb">{title}</b>
      <span className="t13 i2">{text}</span>
    </>
  )
}
