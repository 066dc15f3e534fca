import { Link } from '@tanstack/react-router'
import { m } from '#src/messages/messages.ts'
import { Page as Shell } from '#src/patterns/page.tsx'
import { Icon } from '#src/ui/icon.tsx'

/** The ways to a new workflow. */
export function Page() {
  const w = m.making
  const ways = [
    ['/new/words', 'assist', w.words, w.wordsText],
    ['/templates', 'template', w.template, w.templateText],
    ['/new/import', 'download', w.file, w.fileText],
    ['/marketplace', 'shop', w.marketplace, w.marketplaceText],
    ['/record', 'eye', w.capture, w.captureText],
    ['/workflows/new', 'text', w.empty, w.emptyText],
  ] as const
  return (
    <Shell title={w.title} lede={w.lede} wide>
      <ul className="gallery ways">
        {ways.map(([path, icon, title, text]) => (
          <li key={path}>
            <Link to={path} className="panel tile">
              <span className="gly">
                <Icon name={icon} />
              </span>
              <b className="bb">{title}</b>
              <span className="t13 i2">{text}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Shell>
  )
}
