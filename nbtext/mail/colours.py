"""Colours in style sheets and in the attributes of old pages."""

import re

Colour = tuple[float, float, float, float]  # red, green and blue, 0 to 255, and opacity, 0 to 1

BLACK: Colour = (0, 0, 0, 1)
WHITE: Colour = (255, 255, 255, 1)
DISTANCE = 16  # colours that differ by at most this in each channel (0 to 255) look equal: #f0f0f0 on white

NUMBER = r"([+-]?(?:\d+\.?\d*|\.\d+))(%?)"
WRITTEN = r"#[0-9a-f]+|(?:rgb|hsl)a?\([^)]*\)|[a-z]+"


def styled_colour(value: str) -> Colour | None:
    """The first colour in the value of a style property, in lower case; None if there is none.

    >>> styled_colour("url(x.gif) #fff"), styled_colour("rgba(0, 0, 0, 50%)"), styled_colour("inherit")
    ((255, 255, 255, 1), (0.0, 0.0, 0.0, 0.5), None)
    """
    if value in NAMED or (value[:1] == "#" and value[1:].isalnum()):  # as most are written
        return _colour(value)
    if not value or value == "inherit":
        return None
    for written in re.findall(WRITTEN, re.sub(r"url\([^)]*\)?", "", value)):
        if colour := _colour(written):
            return colour
    return None


def attribute_colour(value: str) -> Colour | None:
    """The colour of an attribute such as bgcolor, by the rules for legacy colours of the HTML standard.

    None if it is not a colour.

    >>> attribute_colour("White"), attribute_colour("#fffffe"), attribute_colour("chucknorris")
    ((255, 255, 255, 1), (255, 255, 254, 1), (192, 0, 0, 1))
    """
    value = value.strip().lower()[:128]
    if not value or value == "transparent":
        return None
    if value in NAMED or (len(value) == 4 and value[0] == "#"):
        return _colour(value)
    digits = re.sub("[^0-9a-f]", "0", value.removeprefix("#")) or "0"
    size = -(-len(digits) // 3)
    channels = [digits.ljust(3 * size, "0")[start : start + size][-8:] for start in range(0, 3 * size, size)]
    while len(channels[0]) > 2 and all(channel[0] == "0" for channel in channels):
        channels = [channel[1:] for channel in channels]
    red, green, blue = (int(channel[:2], 16) for channel in channels)
    return red, green, blue, 1


def over(colour: Colour, ground: Colour) -> Colour:
    """The visible colour of a perhaps transparent colour on an opaque ground."""
    part = colour[3]
    if part == 1:
        return colour
    red, green, blue = (part * own + (1 - part) * behind for own, behind in zip(colour[:3], ground[:3], strict=True))
    return red, green, blue, 1


def alike(ink: Colour, ground: Colour) -> bool:
    """Whether an ink cannot be distinguished from its opaque ground.

    >>> alike((255, 254, 250, 1), WHITE), alike((0, 0, 0, 0.02), WHITE), alike((200, 200, 200, 1), WHITE)
    (True, True, False)
    """
    seen = over(ink, ground)
    return all(abs(own - behind) <= DISTANCE for own, behind in zip(seen[:3], ground[:3], strict=True))


def _colour(written: str) -> Colour | None:
    """A colour by its name, in hexadecimal digits or by a function; None for any other text."""
    if written == "transparent":
        return 0, 0, 0, 0
    if written in NAMED or written[0] == "#":
        return _hexadecimal(NAMED.get(written, written[1:]))
    return _computed(written) if "(" in written else None


HEXADECIMAL = set("0123456789abcdefABCDEF")


def _hexadecimal(digits: str) -> Colour | None:
    if len(digits) in (3, 4):
        digits = "".join(digit * 2 for digit in digits)
    if len(digits) not in (6, 8) or not set(digits) <= HEXADECIMAL:
        return None
    try:
        red, green, blue, *rest = bytes.fromhex(digits)
    except ValueError:
        return None
    return red, green, blue, rest[0] / 255 if rest else 1


def _computed(written: str) -> Colour | None:
    """The colour of rgb() or hsl(), with or without commas."""
    found: list[tuple[str, str]] = re.findall(NUMBER, written)
    if len(found) not in (3, 4):
        return None
    (first, *others), shares = zip(*((float(digits), sign == "%") for digits, sign in found), strict=True)
    opacity = min(max(others[2] / (100 if shares[3] else 1), 0), 1) if len(found) == 4 else 1
    if written.startswith("hsl"):
        from colorsys import hls_to_rgb  # imported here, as pages with these colours are rare

        saturation, lightness = (min(max(other, 0), 100) / 100 for other in others[:2])
        channels = [255 * channel for channel in hls_to_rgb(first % 360 / 360, lightness, saturation)]
    else:
        channels = [
            value * 2.55 if share else value for value, share in zip((first, *others[:2]), shares[:3], strict=True)
        ]
    red, green, blue = (min(max(channel, 0.0), 255.0) for channel in channels)
    return red, green, blue, opacity


# The named colours of CSS Color Module Level 4, section 6.1
NAMES = """
    aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc bisque ffe4c4
    black 000000 blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a burlywood deb887 cadetblue 5f9ea0
    chartreuse 7fff00 chocolate d2691e coral ff7f50 cornflowerblue 6495ed cornsilk fff8dc crimson dc143c cyan 00ffff
    darkblue 00008b darkcyan 008b8b darkgoldenrod b8860b darkgray a9a9a9 darkgreen 006400 darkgrey a9a9a9
    darkkhaki bdb76b darkmagenta 8b008b darkolivegreen 556b2f darkorange ff8c00 darkorchid 9932cc darkred 8b0000
    darksalmon e9967a darkseagreen 8fbc8f darkslateblue 483d8b darkslategray 2f4f4f darkslategrey 2f4f4f
    darkturquoise 00ced1 darkviolet 9400d3 deeppink ff1493 deepskyblue 00bfff dimgray 696969 dimgrey 696969
    dodgerblue 1e90ff firebrick b22222 floralwhite fffaf0 forestgreen 228b22 fuchsia ff00ff gainsboro dcdcdc
    ghostwhite f8f8ff gold ffd700 goldenrod daa520 gray 808080 green 008000 greenyellow adff2f grey 808080
    honeydew f0fff0 hotpink ff69b4 indianred cd5c5c indigo 4b0082 ivory fffff0 khaki f0e68c lavender e6e6fa
    lavenderblush fff0f5 lawngreen 7cfc00 lemonchiffon fffacd lightblue add8e6 lightcoral f08080 lightcyan e0ffff
    lightgoldenrodyellow fafad2 lightgray d3d3d3 lightgreen 90ee90 lightgrey d3d3d3 lightpink ffb6c1
    lightsalmon ffa07a lightseagreen 20b2aa lightskyblue 87cefa lightslategray 778899 lightslategrey 778899
    lightsteelblue b0c4de lightyellow ffffe0 lime 00ff00 limegreen 32cd32 linen faf0e6 magenta ff00ff maroon 800000
    mediumaquamarine 66cdaa mediumblue 0000cd mediumorchid ba55d3 mediumpurple 9370db mediumseagreen 3cb371
    mediumslateblue 7b68ee mediumspringgreen 00fa9a mediumturquoise 48d1cc mediumvioletred c71585 midnightblue 191970
    mintcream f5fffa mistyrose ffe4e1 moccasin ffe4b5 navajowhite ffdead navy 000080 oldlace fdf5e6 olive 808000
    olivedrab 6b8e23 orange ffa500 orangered ff4500 orchid da70d6 palegoldenrod eee8aa palegreen 98fb98
    paleturquoise afeeee palevioletred db7093 papayawhip ffefd5 peachpuff ffdab9 peru cd853f pink ffc0cb plum dda0dd
    powderblue b0e0e6 purple 800080 rebeccapurple 663399 red ff0000 rosybrown bc8f8f royalblue 4169e1
    saddlebrown 8b4513 salmon fa8072 sandybrown f4a460 seagreen 2e8b57 seashell fff5ee sienna a0522d silver c0c0c0
    skyblue 87ceeb slateblue 6a5acd slategray 708090 slategrey 708090 snow fffafa springgreen 00ff7f steelblue 4682b4
    tan d2b48c teal 008080 thistle d8bfd8 tomato ff6347 turquoise 40e0d0 violet ee82ee wheat f5deb3 white ffffff
    whitesmoke f5f5f5 yellow ffff00 yellowgreen 9acd32
"""
NAMED = dict(zip(NAMES.split()[::2], NAMES.split()[1::2], strict=True))
