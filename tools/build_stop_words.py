"""Builds src/threadmill/page/data/stopwords.zip from the lists of jusText (BSD) and stopwords-iso (MIT).

jusText's lists come from Wikipedia's words by frequency; they are taken word for word, so that classes agree.
Lists of stopwords-iso fill in languages that jusText lacks. Run with both packages installed:
python tools/build_stop_words.py
"""

from __future__ import annotations

import zipfile
from importlib.resources import files
from pathlib import Path

import stopwordsiso

TARGET = Path(__file__).parents[1] / "src/threadmill/page/data/stopwords.zip"

# jusText's file name → ISO 639-1 code, 639-3 where there is none
_PAIRS = """
    Afrikaans=af Albanian=sq Arabic=ar Aragonese=an Armenian=hy Aromanian=rup Asturian=ast
    Azerbaijani=az Basque=eu Belarusian=be Belarusian_Taraskievica=be-tarask Bengali=bn
    Bishnupriya_Manipuri=bpy Bosnian=bs Breton=br Bulgarian=bg Catalan=ca Cebuano=ceb Chuvash=cv
    Croatian=hr Czech=cs Danish=da Dutch=nl English=en Esperanto=eo Estonian=et Finnish=fi French=fr
    Galician=gl Georgian=ka German=de Greek=el Gujarati=gu Haitian=ht Hebrew=he Hindi=hi Hungarian=hu
    Icelandic=is Ido=io Igbo=ig Indonesian=id Irish=ga Italian=it Javanese=jv Kannada=kn Kazakh=kk
    Korean=ko Kurdish=ku Kyrgyz=ky Latin=la Latvian=lv Lithuanian=lt Lombard=lmo Low_Saxon=nds
    Luxembourgish=lb Macedonian=mk Malay=ms Malayalam=ml Maltese=mt Marathi=mr Neapolitan=nap Nepali=ne
    Newar=new Norwegian_Bokmal=no Norwegian_Nynorsk=nn Occitan=oc Persian=fa Piedmontese=pms Polish=pl
    Portuguese=pt Quechua=qu Romanian=ro Russian=ru Samogitian=sgs Serbian=sr Serbo_Croatian=sh
    Sicilian=scn Simple_English=en-simple Slovak=sk Slovenian=sl Spanish=es Sundanese=su Swahili=sw
    Swedish=sv Tagalog=tl Tamil=ta Telugu=te Turkish=tr Turkmen=tk Ukrainian=uk Urdu=ur Uzbek=uz
    Vietnamese=vi Volapuk=vo Walloon=wa Waray_Waray=war Welsh=cy West_Frisian=fy Western_Panjabi=pnb
    Yoruba=yo
"""
CODES = dict(pair.split("=") for pair in _PAIRS.split())


def collect() -> dict[str, list[str]]:
    """Language code → its stop words in lower case, sorted."""
    lists = {}
    folder = files("justext").joinpath("stoplists")
    for name, code in CODES.items():
        words = folder.joinpath(f"{name}.txt").read_bytes().decode().splitlines()
        lists[code] = sorted({word.lower() for word in words})
    for code in stopwordsiso.langs():
        lists.setdefault(code, sorted({word.lower() for word in stopwordsiso.stopwords(code)}))
    return lists


def main() -> None:
    """Write the archive, one member per language, the same bytes for the same words."""
    lists = collect()
    with zipfile.ZipFile(TARGET, "w") as archive:
        for code, words in sorted(lists.items()):
            entry = zipfile.ZipInfo(f"{code}.txt", (2026, 1, 1, 0, 0, 0))
            archive.writestr(entry, "\n".join(words), zipfile.ZIP_LZMA)
    print(f"{len(lists)} languages, {sum(map(len, lists.values()))} words, {TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    main()
