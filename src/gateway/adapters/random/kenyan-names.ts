/**
 * Names for generated organizations. Towns, neighbourhoods and roads are real; companies and people are not. Every company is called Mfano
 * ("example" in Swahili), and given and family names are common ones drawn independently.
 */
export const WORDS = listed(
  "Kipepeo, Mbuyu, Nyota, Jahazi, Upinde, Mwamba, Korongo, Zumaridi, Machweo, Mawingu, Tausi, Chemchemi, Mkoko, " +
    "Bahari, Kilele, Mshumaa, Alizeti, Ukindu",
);

export const TRADES = listed(
  "Agrovet, Bakers, Clinics, Couriers, Dairies, Hardware, Logistics, Microfinance, Schools, Software, Solar, " +
    "Tours, Traders, Water Works",
);

/** Town, neighbourhood, and a road there. */
export const PLACES = [
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

export const BUILDINGS = listed(
  "Mvule House, Msonobari Plaza, Mwangaza Court, Jamhuri Arcade, Mkuyu Towers, Pwani Chambers, Shamba House, " +
    "Tumaini Centre, Daraja Plaza, Mlima Court",
);

export const GIVEN_NAMES = listed(
  "Achieng, Amina, Atieno, Barasa, Chebet, Fatuma, Halima, Jelagat, Juma, Kamau, Kioko, Makena, Moraa, Mumbua, " +
    "Mwende, Naserian, Njeri, Nekesa, Otieno, Wanjiru",
);

export const FAMILY_NAMES = listed(
  "Abdalla, Cheruiyot, Gathoni, Karanja, Kiptoo, Kirui, Lekishon, Maina, Mbugua, Mutua, Mwangi, Mwinyi, Njoroge, " +
    "Nyaboke, Ochieng, Odhiambo, Onyango, Simiyu, Wafula, Wekesa",
);

function listed(names: string): readonly string[] {
  return names.split(", ");
}
