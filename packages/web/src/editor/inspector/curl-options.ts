/** The long names of the options of curl that take a value, as `curl --help all` lists them. */
export const withValue: ReadonlySet<string> = new Set(
  `
  abstract-unix-socket alt-svc aws-sigv4 cacert capath cert cert-type ciphers config connect-timeout connect-to continue-at cookie cookie-jar
  create-file-mode crlfile curves data data-ascii data-binary data-raw data-urlencode delegation dns-interface dns-ipv4-addr dns-ipv6-addr dns-servers
  doh-url dump-header ech egd-file engine etag-compare etag-save expect100-timeout form form-string ftp-account ftp-alternative-to-user ftp-method
  ftp-port ftp-ssl-ccc-mode happy-eyeballs-timeout-ms haproxy-clientip header hostpubmd5 hostpubsha256 hsts interface ip-tos ipfs-gateway json
  keepalive-cnt keepalive-time key key-type krb libcurl limit-rate local-port login-options mail-auth mail-from mail-rcpt max-filesize max-redirs
  max-time netrc-file noproxy oauth2-bearer output output-dir parallel-max pass pinnedpubkey preproxy proto proto-default proto-redir proxy proxy-cacert
  proxy-capath proxy-cert proxy-cert-type proxy-ciphers proxy-crlfile proxy-header proxy-key proxy-key-type proxy-pass proxy-pinnedpubkey
  proxy-service-name proxy-tls13-ciphers proxy-tlsauthtype proxy-tlspassword proxy-tlsuser proxy-user proxy1.0 pubkey quote random-file range rate
  referer request request-target resolve retry retry-delay retry-max-time sasl-authzid service-name socks4 socks4a socks5 socks5-gssapi-service
  socks5-hostname speed-limit speed-time stderr telnet-option tftp-blksize time-cond tls-max tls13-ciphers tlsauthtype tlspassword tlsuser trace
  trace-ascii trace-config unix-socket upload-file url url-query user user-agent variable vlan-priority write-out
  `
    .trim()
    .split(/\s+/),
)

/** The long names of the letters that matter to a call, or take a value. */
export const longNames: Readonly<Record<string, string>> = {
  X: 'request',
  H: 'header',
  d: 'data',
  k: 'insecure',
  u: 'user',
  A: 'user-agent',
  e: 'referer',
  b: 'cookie',
  F: 'form',
  G: 'get',
  I: 'head',
  T: 'upload-file',
  o: 'output',
  m: 'max-time',
  x: 'proxy',
  U: 'proxy-user',
  w: 'write-out',
  c: 'cookie-jar',
  r: 'range',
  K: 'config',
  E: 'cert',
  C: 'continue-at',
  D: 'dump-header',
  P: 'ftp-port',
  Q: 'quote',
  Y: 'speed-limit',
  y: 'speed-time',
  t: 'telnet-option',
  z: 'time-cond',
}
