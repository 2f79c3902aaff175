import type { LocaleDefinition } from "@faker-js/faker";

/** Town, neighbourhood, and a road there. */
const PLACES = [
  ["Nairobi", "Westlands", "Waiyaki Way"],
  ["Nairobi", "Kilimani", "Argwings Kodhek Road"],
  ["Nairobi", "Upper Hill", "Elgon Road"],
  ["Nairobi", "Industrial Area", "Enterprise Road"],
  ["Nairobi", "Parklands", "Limuru Road"],
  ["Nairobi", "Karen", "Ngong Road"],
  ["Nairobi", "Donholm", "Outer Ring Road"],
  ["Mombasa", "Nyali", "Links Road"],
  ["Mombasa", "Tudor", "Tom Mboya Avenue"],
  ["Mombasa", "Bamburi", "Malindi Road"],
  ["Kisumu", "Milimani", "Ring Road"],
  ["Kisumu", "Town Centre", "Oginga Odinga Street"],
  ["Nakuru", "Town Centre", "Kenyatta Avenue"],
  ["Eldoret", "Town Centre", "Uganda Road"],
  ["Thika", "Makongeni", "Garissa Road"],
  ["Thika", "Section 9", "General Kago Road"],
  ["Nyeri", "Town Centre", "Kimathi Way"],
  ["Machakos", "Town Centre", "Mbolu Malu Road"],
  ["Kericho", "Town Centre", "Moi Highway"],
  ["Malindi", "Town Centre", "Lamu Road"],
  ["Nanyuki", "Town Centre", "Kenyatta Avenue"],
] as const;

/**
 * What faker needs to speak of Kenya (fakerjs.dev, "Localization"). Towns, neighbourhoods and roads are real; companies and people are not.
 * Every company is called Mfano ("example" in Swahili), and every telephone number is one of the sandbox's own that behave normally (magic
 * numbers 000 to 099), so that no example names anybody's.
 */
export const KENYA: LocaleDefinition = {
  metadata: { title: "Kenya", code: "en_KE", country: "KE", language: "en", dir: "ltr", script: "Latn" },
  company: {
    name_pattern: [
      "Mfano {{company.emblem}} {{company.trade}} {{company.legal_entity_type}}",
      "Mfano {{person.lastName}} {{company.trade}} {{company.legal_entity_type}}",
      "Mfano {{location.city}} {{company.trade}} {{company.legal_entity_type}}",
    ],
    legal_entity_type: ["Ltd"],
    emblem: listed(
      "Kipepeo, Mbuyu, Nyota, Jahazi, Upinde, Mwamba, Korongo, Zumaridi, Machweo, Mawingu, Tausi, Chemchemi, Mkoko, " +
        "Bahari, Kilele, Mshumaa, Alizeti, Ukindu",
    ),
    trade: listed(
      "Agrovet, Bakers, Clinics, Couriers, Dairies, Hardware, Logistics, Microfinance, Schools, Software, Solar, " +
        "Tours, Traders, Water Works",
    ),
  },
  location: {
    city_pattern: ["{{location.city_name}}"],
    city_name: [...new Set(PLACES.map(([town]) => town))],
    building: listed(
      "Mvule House, Msonobari Plaza, Mwangaza Court, Jamhuri Arcade, Mkuyu Towers, Pwani Chambers, Shamba House, " +
        "Tumaini Centre, Daraja Plaza, Mlima Court",
    ),
    /** "Nairobi - Westlands, Mvule House, Waiyaki Way". */
    premises: PLACES.map(([town, part, road]) => `${town} - ${part}, {{location.building}}, ${road}`),
    street_address: { normal: "{{location.premises}}", full: "{{location.premises}}" },
  },
  person: {
    first_name: {
      generic: listed(
        "Achieng, Amina, Atieno, Barasa, Chebet, Fatuma, Halima, Jelagat, Juma, Kamau, Kioko, Makena, Moraa, Mumbua, " +
          "Mwende, Naserian, Njeri, Nekesa, Otieno, Wanjiru",
      ),
    },
    last_name: {
      generic: listed(
        "Abdalla, Cheruiyot, Gathoni, Karanja, Kiptoo, Kirui, Lekishon, Maina, Mbugua, Mutua, Mwangi, Mwinyi, Njoroge, " +
          "Nyaboke, Ochieng, Odhiambo, Onyango, Simiyu, Wafula, Wekesa",
      ),
    },
  },
  phone_number: {
    format: { human: ["0700 000 0##"], national: ["0700 000 0##"], international: ["+2547000000##"] },
  },
};

function listed(names: string): string[] {
  return names.split(", ");
}
