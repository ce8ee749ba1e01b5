// What demo data is made of. A name that is not written in Latin letters has its spelling for addresses after a slash.

interface Names {
  given: string[]
  family: string[]
  familyFirst?: true
}

const words = (text: string): string[] => text.split(',').map((word) => word.trim())

export const cultures: Names[] = [
  {
    given: words('Alice, Harriet, Rowan, Edith, Callum, Jasper, Moira, Owen, Tamsin, Wilfred'),
    family: words('Ashdown, Birkett, Calloway, Fairburn, Hargreaves, Kettlewell, Penrose, Thorne, Whitlock, Yardley'),
  },
  {
    given: words('Amara, Chidi, Folake, Ifeoma, Kwame, Nneka, Obinna, Sade, Tunde, Zainab'),
    family: words('Abiola, Adeyemi, Boateng, Danjuma, Ekwueme, Mensah, Nwosu, Okafor, Owusu, Sowande'),
  },
  {
    given: words('Aarav, Deepa, Ishaan, Kavya, Meera, Nikhil, Priya, Rohan, Sunita, Vikram'),
    family: words('Banerjee, Chaudhary, Deshpande, Iyer, Kulkarni, Menon, Nair, Patil, Reddy, Srivastava'),
  },
  {
    given: words('Ángela, Begoña, Camila, Diego, Íñigo, Joaquín, Lucía, Mateo, Rocío, Tomás'),
    family: words('Aguilar, Benítez, Castañeda, Echeverría, Ibáñez, Montoya, Núñez, Quiroga, Salazar, Villalobos'),
  },
  {
    given: words('Birgit, Dörte, Götz, Henrike, Jörg, Lennart, Märta, Søren, Åsa, Øyvind'),
    family: words('Bergström, Dahlgaard, Eriksen, Grünewald, Holmqvist, Jäger, Kjær, Lindqvist, Müller, Østergaard'),
  },
  {
    given: words('Agnieszka, Bożena, Dorota, Grzegorz, Jiří, Kateřina, Łukasz, Ondřej, Wojciech, Zdeňka'),
    family: words('Błaszczyk, Dvořák, Gajewski, Havlíček, Jabłoński, Kowalczyk, Němec, Růžička, Sikora, Wójcik'),
  },
  {
    given: words('さくら/sakura, 健太/kenta, 美咲/misaki, 大輔/daisuke, 陽子/yoko, 直樹/naoki, 千尋/chihiro, 翔/sho'),
    family: words(
      '渡辺/watanabe, 小林/kobayashi, 中村/nakamura, 山口/yamaguchi, 松本/matsumoto, 森/mori, 石川/ishikawa',
    ),
    familyFirst: true,
  },
  {
    given: words('ليلى/layla, يوسف/yusuf, سلمى/salma, كريم/karim, هدى/huda, طارق/tariq, نور/nur, سامي/sami'),
    family: words('الحداد/alhaddad, منصور/mansur, النجار/annajjar, خليل/khalil, الصباغ/assabbagh, درويش/darwish'),
  },
  {
    given: words('Ayşe, Cem, Çağla, Defne, Emre, Gökhan, İpek, Onur, Şule, Umut'),
    family: words('Arslan, Bozkurt, Çelik, Demirtaş, Erdoğmuş, Güneş, Karaca, Öztürk, Şahin, Yıldırım'),
  },
]

/** `.example` is reserved: no mail to these hosts ever reaches anybody. */
export const hosts = words('birch.example, harbour.example, lantern.example, meadow.example, quarry.example')

export const verbs = words(
  'Book, Check, Clean, Collect, Compare prices for, Fix, Hand over, Inspect, Label, Measure, Order, Pack, Photograph, Replace, Return, Sort out, Store, Test, Write the notice for',
)

export const things = words(
  'the blue bicycle, the boiler filter, the cellar shelves, the conference badges, the first-aid kit, the fire extinguishers, the garden hose, the guest room lamp, the kitchen scales, the ladder, the meeting room screen, the old laptops, the parking permits, the projector, the rain barrel, the smoke detectors, the spare keys, the tool box, the travel adapters, the visitor passes, the winter tyres, the workshop compressor',
)

export const occasions = words(
  'before the inspection, for the summer party, before Friday, with the landlord, for the new colleagues, before winter, once the invoice is in, for the open day, after the move, for the school, while the office is empty, with Monday’s delivery',
)

export const goods = words(
  'Cordless drill, Extension lead 10 m, Folding table, Step ladder, Desk lamp, Label printer, Network switch, Packing tape, Paint roller set, Pallet truck, Power strip, Safety goggles, Stacking chair, Storage box 60 l, Tarpaulin 4 × 6 m, Torch, Whiteboard, Wireless headset, Work gloves size 9, USB-C dock',
)

export const places = words(
  'cellar, workshop, second floor, van, reception, garage, store room, attic, kitchen, archive',
)

export const notes = [
  'Ask reception for the key; it has to be back by five.',
  'The receipt is in the folder with the others.',
  'Two of them were missing last time, so count first.',
  'Call ahead, they close early on Wednesdays.',
  'Warranty runs until the end of next year.',
  'The manual says every twelve months; we are a little late.',
  'Take a photo before and after, the insurance wants both.',
  'Borrowed from the neighbours. Say thank you!',
  'Measure twice: the last one did not fit through the door.',
  'Lent out more often than anything else in here.',
  'If the price is above 80, ask somebody first.',
  'The serial number is on the underside.',
  'Needs two people and a dry day.',
  'Nobody remembers why we keep it, but somebody always needs it.',
]
