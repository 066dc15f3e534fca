import type { groups, Reply } from '@millrace/contract'
import { Link } from '@tanstack/react-router'
import { m } from '#src/messages/messages.ts'
import { t } from '#src/pages/marketplace/texts.ts'
import { Rating } from '#src/pages/marketplace/rating.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { number } from '#src/values/format.ts'

type Entry = Reply<(typeof groups)['marketplace']['list']>['data'][number]

export function EntryTile({ entry: { id, title, summary, author, category, rating, ratings, imports } }: { readonly entry: Entry }) {
  return (
    <Link to={`/marketplace/${id}`} className="panel tile row-link">
      <b className="bb">
        <bdi>{title}</bdi>
      </b>
      <span className="t13 i2">
        <bdi>{summary}</bdi> <span className="blk i3 t12">{t.by(author)}</span>
      </span>
      <span className="row wrap t12 i3">
        <Badge tone="line">{m.categories[category]}</Badge>
        <span className="sp" />
        <Rating rating={rating} ratings={ratings} />
        <span className="row" title={t.imports(number(imports))}>
          <Icon name="download" label={t.imports(number(imports))} />
          {number(imports)}
        </span>
      </span>
    </Link>
  )
}
