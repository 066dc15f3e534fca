import { personCategoryName, personReason } from '@millrace/contract/person-categories'
import { Link } from '@tanstack/react-router'
import { boot } from '#src/boot.ts'
import { m } from '#src/messages/messages.ts'

interface Part {
  readonly category: string
  readonly records: number
  readonly reason?: string
  readonly files?: readonly NamedFile[] | undefined
}

/** Records by category. */
export function Parts({ parts }: { readonly parts: readonly Part[] }) {
  return (
    <ul className="mini-l">
      {parts.map(({ category, records, reason, files = [] }) => (
        <li key={`${category} ${reason ?? ''}`}>
          <span>
            <b className="b">{personCategoryName(category, boot.locale)}</b>{' '}
            {reason !== undefined && <span className="t13 i2">{personReason(reason, boot.locale)}</span>}
            <Files files={files} />
          </span>
          <span className="num i2">{m.erasures.records(records)}</span>
        </li>
      ))}
    </ul>
  )
}

interface NamedFile {
  readonly id: string
  readonly name: string
}

/** Names of files, each with the way to it in the list of files. */
export function Files({ files }: { readonly files: readonly NamedFile[] }) {
  return files.map(({ id, name }) => (
    <Link key={id} className="blk mono t13" to="/files" search={{ prefix: name.split('[erased:')[0] ?? '' }}>
      <bdi>{name}</bdi>
    </Link>
  ))
}
