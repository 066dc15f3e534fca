/** The race: one way that carries water, and the ways beside it. */
export function RaceArt() {
  return (
    <svg className="art" viewBox="0 0 760 900" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <path
        d="M560 120V900M560 180H420a24 24 0 0 0-24 24V900M396 420H272a24 24 0 0 0-24 24V900M560 330h76a24 24 0 0 1 24 24v300a24 24 0 0 1-24 24h-76M396 560h140a24 24 0 0 1 24 24"
        className="w"
      />
      <path
        d="M560 120V900M560 180H420a24 24 0 0 0-24 24V900M396 420H272a24 24 0 0 0-24 24V900M560 330h76a24 24 0 0 1 24 24v300a24 24 0 0 1-24 24h-76M396 560h140a24 24 0 0 1 24 24"
        className="v"
      />
      <path d="M560 -10V180H420a24 24 0 0 0-24 24V420H272a24 24 0 0 0-24 24V560" className="w on" />
      <rect x="549" y="49" width="22" height="22" rx="5" className="g on" />
      <rect x="549" y="169" width="22" height="22" rx="5" className="g on" />
      <rect x="385" y="289" width="22" height="22" rx="5" className="g on" />
      <rect x="385" y="409" width="22" height="22" rx="5" className="g on" />
      <rect x="237" y="549" width="22" height="22" rx="5" className="g on" />
      <rect x="237" y="679" width="22" height="22" rx="5" className="g" />
      <rect x="385" y="629" width="22" height="22" rx="5" className="g" />
      <rect x="385" y="769" width="22" height="22" rx="5" className="g" />
      <rect x="549" y="419" width="22" height="22" rx="5" className="g" />
      <rect x="649" y="489" width="22" height="22" rx="5" className="g" />
      <rect x="549" y="749" width="22" height="22" rx="5" className="g" />
      <rect x="237" y="809" width="22" height="22" rx="5" className="g" />
      <circle cx="248" cy="560" r="22" className="halo" />
    </svg>
  )
}
