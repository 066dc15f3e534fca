/** A word that is not used in this repository, and what to write instead. */
export interface BannedWord {
  /** With the flag `g`: each occurrence counts. */
  readonly pattern: RegExp
  readonly instead: string
  /** The files that the pattern applies to; all files if absent. */
  readonly paths?: RegExp
}

/** Things that are held in standard English. */
const holdable = String.raw`(?:\w*[Ll]ock(?:s|ed|ing)?|leases?|connections?|resources?|slots?|transactions?|placeholders?)\b`

export const bannedWords: readonly BannedWord[] = [
  {
    pattern: /\b[Tt](?:ell(?:s|ers?|ings?)?|old)\b|[Uu]ntold|[a-z]Told\b|\btell(?=[A-Z])|[a-z]Teller/g,
    instead: 'signal, notify, wake, report, return or distinguish',
  },
  { pattern: /\b(?:[Ww]hoever|[Nn]obody|[Ss]omebody|[Ee]verybody|[Aa]nybody)/g, instead: 'a name for the person or the part' },
  { pattern: /\b(?:[Gg]o|[Gg]oes|[Gg]oing|[Ww]ent) on\b|\bgo(?:es)?On\b/g, instead: 'continue' },
  { pattern: /\b(?:is|are|was|were) none\b/g, instead: 'does not exist, is not a …' },
  { pattern: /\b[Cc](?:omes?|ame|oming) to\b|cameTo/g, instead: 'reach, result in or total' },
  { pattern: /\b[Gg](?:ives?|iven|ave|iving) up\b|givenUp|giveUp/g, instead: 'stop retrying, abandon or quarantine' },
  { pattern: /\b[Ss]tanding\b|[a-z]Standing/g, instead: 'state' },
  { pattern: /\b[Pp]atience|[Gg]limpse|\b[Mm]anners|[Kk]eepsHouse|\b[Bb]reathe?\b|\bstrays?\b/g, instead: 'the plain word' },
  { pattern: /\b[Bb]ell\b|createBell|createBoard|\b[Bb]oard\b/g, instead: 'wake-up, match state' },
  { pattern: /\b[Ss]tranger(?:s|Of)?\b/g, instead: 'unauthenticated caller, another account, a reader' },
  {
    pattern: new RegExp(`(?<!${holdable}.*)(?:\\b[Hh](?:eld|olds?|olding|olders?)\\b|isHeld)(?!.*\\b${holdable})`, 'g'),
    instead: 'parked, suspended, keep, contain, apply or enforce; locks, leases, connections and resources are held',
  },
  {
    pattern: /(?<=^|[.;|] |\*\*)(?:What|Who)\b(?! (?:happens|is|are|it|to) ?(?:$|\*|\|))[^?.|\n]*[.]/gm,
    instead: 'a noun as the subject of the sentence',
    paths: /\.md$/,
  },
]

/** Standard English that a pattern would reject. */
export const allowedPhrases: readonly RegExp[] = [
  /\b[Tt]ell(?:s|ing)? (?:[\w"`'.-]+ ){1,6}apart\b/g,
  /\blong-standing\b/g,
  // The title of the error of a dead letter, which clients see.
  /(?<=['` ])Given up\b(?=['\]])/g,
]
