const cities =
  'london paris berlin madrid rome milan naples turin vienna zurich geneva basel bern brussels antwerp ghent amsterdam rotterdam utrecht eindhoven copenhagen aarhus odense stockholm gothenburg malmo uppsala oslo bergen trondheim stavanger helsinki tampere turku espoo reykjavik dublin cork galway belfast edinburgh glasgow aberdeen cardiff swansea manchester liverpool birmingham leeds sheffield bristol newcastle nottingham leicester oxford cambridge brighton southampton portsmouth york lisbon porto braga coimbra faro barcelona valencia seville zaragoza malaga bilbao granada alicante cordoba murcia marseille lyon toulouse nice nantes strasbourg montpellier bordeaux lille rennes reims grenoble dijon hamburg munich munchen cologne koln frankfurt stuttgart dusseldorf dortmund essen leipzig bremen dresden hanover hannover nuremberg nurnberg duisburg bochum bonn mannheim karlsruhe augsburg kiel florence bologna venice verona genoa palermo catania bari pisa salzburg graz linz innsbruck prague brno ostrava plzen bratislava kosice budapest debrecen szeged pecs warsaw krakow lodz wroclaw poznan gdansk szczecin bydgoszcz lublin katowice vilnius kaunas riga tallinn tartu minsk kyiv kiev kharkiv odesa odessa lviv dnipro chisinau bucharest cluj timisoara iasi constanta sofia plovdiv varna belgrade zagreb split ljubljana maribor sarajevo skopje tirana podgorica pristina athens thessaloniki patras nicosia limassol larnaca valletta istanbul ankara izmir bursa antalya adana moscow petersburg novosibirsk yekaterinburg kazan samara omsk sochi vladivostok tbilisi batumi yerevan baku almaty astana tashkent samarkand bishkek dushanbe ashgabat ' +
  'riyadh jeddah mecca makkah medina madinah dammam khobar dhahran taif tabuk abha jubail yanbu hail najran dubai sharjah ajman fujairah doha manama muscat salalah kuwait sanaa aden baghdad basra mosul erbil najaf karbala tehran isfahan shiraz tabriz mashhad qom amman zarqa irbid aqaba beirut tripoli sidon damascus aleppo homs latakia jerusalem haifa gaza ramallah nablus hebron cairo alexandria giza luxor aswan suez khartoum omdurman benghazi tunis sfax sousse algiers oran constantine rabat casablanca marrakech marrakesh fes fez tangier agadir nouakchott dakar bamako niamey ouagadougou abidjan accra kumasi lagos abuja kano ibadan lome cotonou douala yaounde libreville kinshasa luanda lusaka harare bulawayo gaborone windhoek johannesburg pretoria durban maputo antananarivo nairobi mombasa kampala kigali bujumbura dodoma mogadishu djibouti asmara lilongwe ' +
  'delhi mumbai bombay kolkata calcutta chennai madras bangalore bengaluru hyderabad pune ahmedabad surat jaipur lucknow kanpur nagpur indore bhopal patna chandigarh amritsar kochi goa agra varanasi karachi lahore islamabad rawalpindi peshawar faisalabad multan quetta dhaka chittagong colombo kandy kathmandu kabul herat kandahar beijing shanghai guangzhou shenzhen chengdu wuhan tianjin nanjing hangzhou xian chongqing suzhou harbin qingdao dalian kunming lhasa taipei kaohsiung tokyo osaka kyoto nagoya yokohama sapporo kobe fukuoka hiroshima sendai seoul busan incheon daegu pyongyang hanoi saigon bangkok phuket yangon mandalay vientiane jakarta surabaya bandung bali manila cebu davao ulaanbaatar ' +
  'chicago houston phoenix philadelphia dallas austin columbus charlotte seattle denver boston nashville detroit portland memphis baltimore milwaukee albuquerque tucson fresno sacramento atlanta miami oakland minneapolis tulsa cleveland tampa honolulu anaheim pittsburgh cincinnati anchorage orlando buffalo richmond hollywood brooklyn manhattan toronto montreal vancouver calgary ottawa edmonton winnipeg quebec halifax regina guadalajara monterrey puebla tijuana cancun merida havana kingston bogota medellin cali barranquilla cartagena quito guayaquil lima arequipa cusco santiago valparaiso concepcion rosario mendoza montevideo asuncion brasilia salvador fortaleza recife manaus curitiba campinas caracas maracaibo sydney melbourne brisbane perth adelaide canberra darwin hobart auckland wellington christchurch dunedin hamilton suva ' +
  'alabama alaska arizona arkansas california colorado connecticut delaware florida idaho illinois indiana iowa kansas kentucky louisiana maine maryland massachusetts michigan minnesota mississippi missouri montana nebraska nevada ohio oklahoma oregon pennsylvania tennessee texas utah vermont virginia wisconsin wyoming bavaria saxony hesse tuscany sicily lombardy sardinia catalonia andalusia galicia brittany normandy provence alsace burgundy scotland wales england ulster cornwall yorkshire kent essex ontario manitoba saskatchewan alberta punjab gujarat kerala karnataka maharashtra rajasthan bihar assam sindh queensland tasmania europe asia africa america australia antarctica balkans scandinavia siberia crimea kurdistan uk usa uae'

const phrases =
  'new york|new york city|los angeles|san francisco|san diego|san jose|san antonio|las vegas|new orleans|salt lake city|kansas city|st louis|fort worth|el paso|long beach|new jersey|new mexico|new hampshire|north carolina|south carolina|north dakota|south dakota|west virginia|rhode island|washington dc|puerto rico|hong kong|abu dhabi|al ain|ras al khaimah|ras al-khaimah|umm al quwain|kuwait city|tel aviv|port said|sharm el sheikh|addis ababa|cape town|dar es salaam|port louis|new delhi|kuala lumpur|ho chi minh city|phnom penh|mexico city|guatemala city|panama city|san salvador|santo domingo|port au prince|buenos aires|la paz|santa cruz|sao paulo|rio de janeiro|belo horizonte|porto alegre|gold coast|saint petersburg|the hague|den haag|british columbia|nova scotia|new brunswick|prince edward island|sri lanka|middle east|latin america|north america|south america|central america|west bank|northern ireland|new zealand|lower saxony|north rhine westphalia|czech republic|ivory coast|cape verde|east timor|burma|macedonia|swaziland|great britain|united states of america|united arab emirates|libyan arab jamahiriya|russian federation|south korea|north korea|lake district|isle of man'

const isAscii = /^[ -~]*$/

/** Folds case and diacritics, so that `Kraków`, `KRAKÓW` and `krakow` are one. */
export function fold(text: string): string {
  if (isAscii.test(text)) return text.toLowerCase()
  return text
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036F\u064B-\u0652\u0670\u0640]/g, '')
    .toLowerCase()
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .replaceAll('đ', 'd')
    .replaceAll('ß', 'ss')
    .replaceAll('æ', 'ae')
    .replaceAll('ı', 'i')
    .replaceAll('’', "'")
    .replaceAll(/[أإآ]/g, 'ا')
}

const languages = ['en', 'ar', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'tr', 'sv'] as const
const arabicCities =
  'الرياض جدة مكة المدينة الدمام الخبر الظهران الطائف تبوك ابها دبي ابوظبي الشارقة عجمان الدوحة المنامة مسقط الكويت صنعاء عدن بغداد البصرة الموصل اربيل عمان بيروت دمشق حلب القدس غزة رام القاهرة الاسكندرية الجيزة الخرطوم طرابلس بنغازي تونس الجزائر وهران الرباط مراكش فاس طنجة'

/** Names of countries by the Unicode CLDR data of the runtime, in several languages, and of cities by its time zones; further ones by hand. */
export function placeNames(): ReadonlySet<string> {
  const names = new Set<string>([...cities.split(' '), ...phrases.split('|'), ...arabicCities.split(' ')])
  for (const language of languages) {
    const display = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })
    for (let first = 65; first <= 90; first++)
      for (let second = 65; second <= 90; second++) {
        const name = display.of(String.fromCharCode(first, second))
        if (name !== undefined && name.length > 3) names.add(fold(name).replaceAll(/\s*[(（].*$/g, ''))
      }
  }
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    const [area, ...rest] = zone.split('/')
    const city = rest.at(-1)
    if (area !== 'Etc' && city !== undefined && city.length > 3) names.add(fold(city.replaceAll('_', ' ')))
  }
  return names
}

/** Places whose names are words, or names of persons more often than of places. */
export const ambiguousPlaces: ReadonlySet<string> = new Set(
  'nice reading bath mobile split jordan chad georgia victoria charlotte austin florence sofia alexandria paris sydney dallas virginia carolina cali lima cork bari turkey china salvador santiago constantine regina lincoln jackson washington hamilton hebron mendoza rosario merida concepcion kent essex center general troll easter christmas vincent casey davis jersey guinea martinique manaus galicia casablanca'.split(
    ' ',
  ),
)
